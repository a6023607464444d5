import type { Problem } from '../decide/verdict.ts';
import { expand } from '../language/expand.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunModel } from './run-model.ts';

/** Whether a run that is over obeys the rules of the plan. Ids of rules: `/constraints/cap`. */
export function constraintsProblem(plan: Plan, model: RunModel): Problem {
  const { variables, values, facts, slots, constants, final, spend } = model;
  const environment = { names: { var: constants, final }, slots };
  const rules = plan.constraints.map(({ id, expression }) => {
    return { id: `/constraints/${id}`, term: expand(expression, environment, spend) };
  });
  return { question: 'holds', variables, values, facts, rules };
}
