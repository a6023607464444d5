import { conjunctsOf } from '../claims.ts';
import type { Plan } from '../plan.ts';

/**
 * All runs that an approval covers, as one run of a plan: what is asked of each action, and the rules over the runs. Rules and
 * states of a single run say nothing of it.
 */
export function allRuns(plan: Plan): Plan {
  const found = known.get(plan) ?? computeRuns(plan);
  known.set(plan, found);
  return found;
}

const known = new WeakMap<Plan, Plan>();

function computeRuns(plan: Plan): Plan {
  const ofActions = plan.constraints.flatMap((rule) =>
    conjunctsOf(rule.expression)
      .filter((each) => each.op === 'all' && each.range.kind === 'step')
      .map((expression) => ({ ...rule, expression })),
  );
  return {
    ...plan,
    state: new Map(),
    maps: new Map(),
    steps: plan.steps.map((step) => ({ ...step, min: 0, max: step.max * plan.maxExecutions })),
    constraints: [...plan.runs, ...ofActions],
    runs: [],
    sheets: plan.sheets.filter(({ stepId }) => stepId !== undefined),
  };
}
