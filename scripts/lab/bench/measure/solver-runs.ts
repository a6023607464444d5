import { defined } from '../../../../workers/exact/defined.ts';
import { createRandom } from '../../inputs/mutate.ts';

const AT = { started_at: '2026-11-01T10:00:00.000000Z', ended_at: '2026-11-01T10:00:01.000000Z' };

const number = (least: number, most: number) => ({ type: 'int', min: least, max: most });

interface Parts {
  readonly args: Readonly<Record<string, unknown>>;
  readonly constraints: readonly unknown[];
  readonly min: number;
}

/** A plan with one step that is executed at most once, and rules for its arguments. */
function planOf({ args, constraints, min }: Parts): string {
  const tool = { name: 'act', version: '1.0.0', effect: 'none', replay: 'recorded', args, responds: {}, effects: {} };
  const step = { step_id: 'act', tool: 'act@1.0.0', where: [], after: [], effects: {}, min, max: 1, evidence: [] };
  return JSON.stringify({
    plan_format: 2,
    title: 'One act',
    expires_at: '2026-12-01T00:00:00.000000Z',
    max_executions: 1,
    max_recorded: 1,
    supersedes: null,
    approvals: 1,
    variables: {},
    tables: {},
    state: {},
    tools: [{ ...tool, observe: {}, identity: null, post: [] }],
    steps: [step],
    constraints: constraints.map((expr, index) => ({ id: `c${index}`, expr })),
    sheets: [],
  });
}

/** A run of one action with 20 arguments that obeys 30 linear rules. */
export function smallRun(): { readonly plan: string; readonly actions: string } {
  const names = Array.from({ length: 20 }, (_, index) => `x${index}`);
  const values = new Map(names.map((name, index) => [name, (index * 37) % 100]));
  const constraints = Array.from({ length: 30 }, (_, rule) => {
    const terms = [0, 7, 13].map((step, term) => ({ name: `x${(rule + step) % 20}`, by: 2 + ((rule + term) % 5) }));
    const total = terms.reduce((sum, { name, by }) => sum + by * defined(values.get(name)), 0);
    const left = ['+', ...terms.map(({ name, by }) => ['*', ['arg', 'p', name], by])];
    return ['<=', ['sum', 'act', 'p', left], total + (rule % 3)];
  });
  const args = Object.fromEntries(names.map((name) => [name, number(0, 1000)]));
  const action = { step_id: 'act', tool: 'act', tool_version: '1.0.0', args: Object.fromEntries(values), response: {} };
  return { plan: planOf({ args, constraints, min: 1 }), actions: JSON.stringify([{ ...action, ...AT }]) };
}

/** A plan whose rules are hard equations over 256 numbers. The solver reaches its limit before it finds an answer. */
export function bombPlan(seed = 1): string {
  const random = createRandom(seed);
  const names = Array.from({ length: 256 }, (_, index) => `x${index}`);
  const constraints = Array.from({ length: 30 }, () => {
    const terms = names
      .filter(() => random() < 0.5)
      .map((name) => ['*', ['arg', 'p', name], 1 + Math.floor(random() * 97)]);
    return ['=', ['sum', 'act', 'p', ['+', ...terms]], 25 * terms.length];
  });
  return planOf({ args: Object.fromEntries(names.map((name) => [name, number(0, 1)])), constraints, min: 1 });
}
