import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

// A plan, and acts of it that failed or whose outcome nobody knows.

const TOOLS = toolsIn(`tools:
  check@1.0.0: { args: { id: string(8) }, responds: { ok: bool } }
  pay@1.0.0:
    effect: none
    args: { id: string(8), amount: "decimal(2, 0.00..)", key: string(8) }
    responds: { ref: string(8), fee: "decimal(2, 0.00..1.00)" }
    once: args.key
  wire@1.0.0: { args: { id: string(8), amount: int }, responds: { ref: string(8) }, post: "args.amount > 0" }
  move@1.0.0:
    replay: effects
    args: { amount: "int(1..100)" }
    responds: { left: int }
    state: { left: int, moves: int }
    effects: { left: state.left - args.amount, moves: state.moves + 1 }
    observe: { left: left }
  order@1.0.0:
    replay: effects
    args: { amount: "int(1..100)", key: string(8) }
    responds: { left: int }
    state: { left: int }
    effects: { left: state.left - args.amount }
    observe: { left: left }
    once: args.key
  look@1.0.0:
    replay: effects
    args: { id: string(8) }
    responds: { left: int }
    state: { left: int }
    observe: { left: left }
`);

const listed = (rules: readonly string[]) =>
  rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('');

export function planOf(
  rules: readonly string[],
  {
    steps = '',
    times = '0..20',
    runs = [] as readonly string[],
    executions = 1,
    tables = '{}',
    pays = 'args.amount <= 50.00',
  } = {},
) {
  return documentsOf(
    `plan: Outcomes
expires: 2026-12-31T00:00:00Z
executions: ${executions}
recorded: 50
tables: ${tables}
state: { left: 100, moves: 0, paid: 0 }
steps:
  check: { tool: check@1, times: 0..20 }
  pay: { tool: pay@1, times: ${times}, where: '${pays}', ${steps || 'evidence: {}'} }
  again: { tool: pay@1, times: 0..20 }
  wire: { tool: wire@1, times: 0..3 }
  move: { tool: move@1, times: 0..20 }
  order: { tool: order@1, times: 0..20 }
  look: { tool: look@1, times: 0..20 }
  full: { tool: look@1, times: 0..20, where: state.left == 100 }
  moveAlong: { tool: move@1, times: 0..20, overlaps: [moveAlong] }
rules:${listed(rules)}
runs:${listed(runs)}
`,
    TOOLS,
  );
}

export interface Report {
  readonly outcome?: string;
  readonly response?: object | null;
  readonly at?: number;
  readonly to?: number;
}
let clock = 0;
/** The next act is the first one of a run. */
export const restart = (): void => {
  clock = 0;
};

export function act(step: string, args: object, response: object, { at = clock++, to = at, ...report }: Report = {}) {
  const time = (minutes: number) =>
    new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString().replace('.000Z', '.000000Z');
  const outcome = report.outcome ?? 'done';
  return {
    ...{
      step_id: step,
      tool: step === 'full' ? 'look' : step,
      tool_version: '1.0.0',
      args,
      ...(outcome === 'done' ? { response } : {}),
      ...report,
    },
    ...{ started_at: time(at), ended_at: time(to) },
  };
}
export const check = (id: string, report?: Report) => act('check', { id }, { ok: true }, report);
export const pay = (id: string, amount: string, report?: Report & { key?: string }) => {
  const { key = `k${clock}`, ...rest } = report ?? {};
  return act('pay', { id, amount, key }, { ref: id, fee: '0.50' }, rest);
};
export const wire = (id: string, amount: string, report?: Report) => act('wire', { id, amount }, { ref: id }, report);
export const move = (amount: number, left: number, report?: Report) =>
  act('move', { amount: `${amount}` }, { left: `${left}` }, report);
export const order = (left: number, report?: Report) =>
  act('order', { amount: '10', key: 'k' }, { left: `${left}` }, report);
export const look = (left: number, step = 'look') => act(step, { id: 'a' }, { left: `${left}` });
export const moveAlong = (...args: Parameters<typeof move>) => ({ ...move(...args), step_id: 'moveAlong' });
export const FAILED = { outcome: 'failed' };
export const UNKNOWN = { outcome: 'unknown' };

export function verify(
  documents: ReturnType<typeof planOf> & { readonly runs?: string },
  actions: readonly object[],
  artifacts: readonly object[] = [],
) {
  const task = { kind: 'verify', ...documents, actions: JSON.stringify(actions), artifacts } as unknown;
  const { verdicts, assurance } = ask(task as Extract<SolverTask, { kind: 'verify' }>);
  const { plan_alignment, constraints, evidence, replay } = verdicts;
  return { all: [plan_alignment, constraints, evidence, replay], assurance };
}

/** The ids of what is broken, and which verdicts are not `satisfied` without one. */
export function brokenIn(documents: ReturnType<typeof planOf>, actions: readonly object[]) {
  return verify(documents, actions).all.flatMap(({ verdict, reasons }) => {
    if (verdict === 'satisfied' || reasons.some(({ code }) => code === 'NOT_ALIGNED')) return [];
    return reasons.map(({ path, code }) => (verdict === 'violated' ? path : `${verdict} ${code} ${path}`));
  });
}
