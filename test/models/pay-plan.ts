import { canonicalText } from '../../workers/exact/canonical-json.ts';
import type { PlanDocument } from '../../workers/exact/plan-schema.ts';
import type { Expression, Term } from '../../workers/plan/language/terms.ts';
import type { Value } from '../../workers/plan/language/values.ts';
import type { Plan, Step } from '../../workers/plan/plan.ts';
import { readPlan } from '../../workers/plan/read/read-plan.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import type { EncodingSession, Scope } from '../../workers/verdict/elaborate/scope.ts';
import type { PlacedAction } from '../../workers/verdict/run/placed-action.ts';
import { traceRun } from '../../workers/verdict/run/trace.ts';
import { toolsIn } from './plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: write
    args: { n: int(0..3), m: "int(-2..2)", free: int, flag: bool, kind: "enum(new, old)", invoice: string(64), payee: string(4) }
    responds: { fee: "int(2..9)", note: string(8) }
  look@1.0.0:
    effect: none
    args: { n: int(0..3) }
    responds: { open: "int(0..9)" }
`);

/** In YAML, without the braces around. */
interface Parts {
  readonly given?: string;
  readonly tables?: string;
  readonly state?: string;
  /** What follows the tool of the step `pay`, such as `times: 0..4, where: 'args.n > 1'`. */
  readonly pay?: string;
  /** Other steps. */
  readonly steps?: string;
  readonly rules?: readonly string[];
  readonly runs?: string;
  readonly executions?: string;
  readonly recorded?: number;
  readonly expires?: string;
}

/** Three invoices of which two have one payee. */
const APPROVED =
  'approved: { key: invoice, columns: { invoice: string(64), amount: int, payee: string(4) }, rows: [{ invoice: A, amount: 30, payee: P }, { invoice: B, amount: -5, payee: Q }, { invoice: C, amount: 12, payee: P }] }';

/** A plan over a step `pay`, whose rules are r0, r1, … */
export const payPlan = (parts: Parts = {}): Plan =>
  readPlan(payDocument(parts), [], { tools: TOOLS.map(canonicalText), tables: [] });

export function payDocument({
  given = '',
  tables = APPROVED,
  state = '',
  pay = 'times: 0..4',
  steps = '',
  rules = [],
  runs = '',
  executions = '1',
  recorded = 1000,
  expires = '2027-12-05T00:00:00Z',
}: Parts): PlanDocument {
  const { plan, faults } = compilePlan(
    `plan: Pay
expires: ${expires}
executions: ${executions}
recorded: ${recorded}
given: { ${given} }
tables: { ${tables} }
state: { ${state} }
steps: { pay: { tool: pay@1, ${pay} }${steps === '' ? '' : `, ${steps}`} }
rules: { ${rules.map((rule, index) => `r${index}: '${rule}'`).join(', ')} }
runs: { ${runs} }
`,
    { tools: TOOLS, sheets: [], tables: new Map() },
  );
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return plan;
}

export function stepOf({ steps }: Plan, stepId = 'pay'): Step {
  const step = steps.find((each) => each.stepId === stepId);
  if (step === undefined) throw new Error(`no step ${stepId}`);
  return step;
}

/** A rule of the plan, by its number. */
export function ruleOf({ constraints }: Plan, number = 0): Expression {
  const rule = constraints.find(({ id }) => id === `r${number}`);
  if (rule === undefined) throw new Error(`no rule ${number}`);
  return rule.expression;
}

/** Some action of a step, of which nothing is known, and the session of its variables. */
export function openAction(plan: Plan, step: Step): { readonly session: EncodingSession; readonly situation: Scope } {
  const { session, end } = traceRun(plan, []);
  const opened = (
    part: string,
    types: ReadonlyMap<string, Parameters<EncodingSession['open']>[1]>,
  ): ReadonlyMap<string, Term> =>
    new Map([...types].map(([name, type]) => [name, session.open(`/some/${part}/${name}`, type)]));
  const names = {
    ...end.names,
    arg: opened('args', step.tool.args),
    resp: opened('response', new Map([...step.tool.responds].map(([name, { type }]) => [name, type]))),
    state: opened('state', new Map([...plan.state].map(([name, { type }]) => [name, type]))),
  };
  return { session, situation: { ...end, names } };
}

/** An action of step `pay` that is not done yet, by its place in a run. Without arguments, all of them are open. */
export const undone = (plan: Plan, index: number, args?: Readonly<Record<string, Value>>): PlacedAction => ({
  path: `/actions/${index}`,
  step: stepOf(plan),
  args: args && new Map(Object.entries(args)),
  response: undefined,
  record: undefined,
  index,
});

/** An action of step `pay` that was done, as a run has it. */
export const paid = (args: Readonly<Record<string, unknown>> = {}, at = '2026-11-02T10:00:00.000000Z') => ({
  step_id: 'pay',
  tool: 'pay',
  tool_version: '1.0.0',
  args: { n: 1, m: 0, free: 0, flag: false, kind: 'new', invoice: 'A', payee: 'P', ...args },
  response: { fee: 2, note: '' },
  started_at: at,
  ended_at: at,
});

/** An action of a step `look` that was done. */
export const looked = (n = 1, at = '2026-11-02T10:00:00.000000Z') => ({
  step_id: 'look',
  tool: 'look',
  tool_version: '1.0.0',
  args: { n },
  response: { open: 0 },
  started_at: at,
  ended_at: at,
});
