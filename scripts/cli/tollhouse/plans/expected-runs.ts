import { existsSync } from 'node:fs';
import { valueAt } from '../../../../workers/exact/json-pointer.ts';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { compileRuns, type ExpectedRun } from '../../../../workers/plan/text/runs/compile-runs.ts';
import { CommandError, type Options } from '../../terminal/command.ts';
import { faultError, type PlanInput, readText, readWholePlan } from './plan-input.ts';

export type Input = PlanInput & { readonly plan: PlanDocument };

/** A plan, and the runs beside it. @throws {CommandError} */
export function readExpectedRuns(file: string, options: Options) {
  const input = readWholePlan(file, options);
  const runsFile = runsFileOf(file, options);
  const { runs, faults } = compileRuns(readText(runsFile), input.plan, input.tools);
  if (runs === undefined) throw faultError(runsFile, faults);
  return { input, runs };
}

/** The file with the runs of a plan. @throws {CommandError} if there is none */
function runsFileOf(file: string, { runs }: Options): string {
  const runsFile = runs ?? file.replace(/\.(?:ya?ml|json)$/, '.runs.yaml');
  if (existsSync(runsFile)) return runsFile;
  const help = 'docs/verified-execution/plan-text.md#runs says how to write it';
  throw new CommandError(
    `${runsFile}: there is no such file, with the runs of the plan. ${help}; --runs names another`,
    2,
  );
}

export interface Found {
  readonly verdict: string;
  /** JSON pointers, ids and messages of all reasons. */
  readonly reasons: readonly { readonly path: string; readonly message: string }[];
}

interface Judgement extends Found {
  /** JSON pointers of the rules that cannot all hold. */
  readonly core?: readonly string[];
}

/** Why these judgements are not satisfied. */
export const reasonsOf = (judgements: readonly Judgement[]): Found['reasons'] =>
  judgements.flatMap(({ verdict, reasons, core = [] }) =>
    verdict === 'satisfied' ? [] : [...reasons, ...core.map((path) => ({ path, message: 'is broken' }))],
  );

/** What tells an act of a tool from others, and the field of the response that has it. Undefined if the tool names none. */
export function identityOf({ tools, plan }: Input, { tool, tool_version, response }: ExpectedRun['actions'][number]) {
  const described = [...tools, ...plan.tools.flatMap((one) => ('sha256' in one ? [] : [one]))].find(
    ({ name, version }) => name === tool && version === tool_version,
  );
  if (described === undefined || described.identity === null) return undefined;
  const { at } = Object(described.responds[described.identity]);
  return { effect: described.effect, field: described.identity, value: valueAt(response, String(at)) };
}

/** What is wrong with a verdict. Undefined if it is the expected one. */
export function problemOf({ must, because }: ExpectedRun, { verdict, reasons }: Found): string | undefined {
  const all = reasons.map(({ path, message }) => `${path} ${message}`).join('; ');
  if (verdict !== must) return `it is ${verdict}, and must be ${must}${all === '' ? '' : `: ${all}`}`;
  if (because === undefined || reasons.some(({ path }) => path.split('/').includes(because))) return undefined;
  return `it is ${verdict}, but not because of ${because}: ${all}`;
}
