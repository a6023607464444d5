import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { AppError } from '../errors/app-error.ts';

const Verdict = Type.Object({ verdict: Type.String() });
const check = Compile(Type.Object({ result: Verdict }));
const verification = Compile(Type.Object({ verdicts: Type.Record(Type.String(), Verdict) }));

/** The verdict of a check, as the service answered it. @throws {AppError} UPSTREAM_FAILURE if it has none */
export const verdictOfCheck =
  (name: string) =>
  (answer: string): Readonly<Record<string, string>> => ({ [name]: parse(answer, check).result.verdict });

/** The verdicts of a verification, by check. @throws {AppError} UPSTREAM_FAILURE if there are none */
export function verdictsOfVerification(answer: string): Readonly<Record<string, string>> {
  const { verdicts } = parse(answer, verification);
  return Object.fromEntries(Object.entries(verdicts).map(([name, { verdict }]) => [name, verdict]));
}

function parse<Value>(answer: string, shape: { Check(value: unknown): value is Value }): Value {
  const value: unknown = JSON.parse(answer);
  if (!shape.Check(value)) throw new AppError('UPSTREAM_FAILURE', 'the service answered without a verdict');
  return value;
}
