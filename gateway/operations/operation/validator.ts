import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import { isRecord } from '../../../services/platform/is-record.ts';

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const RULES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  type: ({ type }) => `must be of type ${String(type)}`,
  minLength: ({ limit }) => `must be at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `must be at most ${String(limit)} characters long`,
  pattern: ({ pattern }) =>
    pattern === '\\S' ? 'must contain a character that is not white space' : `must match ${String(pattern)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  dependentRequired: ({ property, dependencies }) => `${String(property)} requires ${String(dependencies)}`,
};

/** Longest part of an unknown name that is repeated: a name may be the caller's whole body. */
const MAX_NAME_CHARACTERS = 64;

export interface Validator<Value> {
  /** One sentence on the first fault of a body, or undefined. It never repeats a value. */
  readonly faultOf: (body: unknown) => string | undefined;
  readonly isValid: (body: unknown) => body is Value;
}

export function createValidator<Schema extends TObject>(schema: Schema): Validator<Static<Schema>> {
  const compiled = Compile(schema);
  const known = new Set(Object.keys(schema.properties));
  return {
    isValid: (body): body is Static<Schema> => compiled.Check(body),
    faultOf(body) {
      if (!isRecord(body)) return 'the body must be a JSON object';
      // The first unknown name is enough: the library takes seconds for 300,000 of them.
      const unknown = Object.keys(body).find((name) => !known.has(name));
      if (unknown !== undefined) return `${unknown.slice(0, MAX_NAME_CHARACTERS)} is not a known property`;
      if (compiled.Check(body)) return undefined;
      const [, faults]: readonly [boolean, readonly Fault[]] = compiled.Errors(body);
      const [fault] = faults;
      return fault === undefined ? 'the body is not valid' : describe(fault);
    },
  };
}

function describe({ keyword, instancePath, params, message }: Fault): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const values = Object.fromEntries<unknown>(Object.entries(params));
  const missing = values['requiredProperties'];
  if (Array.isArray(missing) && missing.length > 0) return `${String(missing[0])} is required`;
  return `${field} ${RULES[keyword]?.(values) ?? message}`.trimStart();
}
