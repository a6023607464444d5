import type { Claim, Problem, Question } from '../decide/verdict.ts';
import { expand } from '../language/expand.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunModel } from './run-builder.ts';
import { withoutUnasked } from './without-unasked.ts';

/** Whether a run obeys the rules of the plan. */
export function constraintsProblem(plan: Plan, model: RunModel, question: Question = 'holds'): Problem {
  const { variables, values, facts } = model;
  return withoutUnasked({ question, variables, values, facts, rules: constraintRules(plan, model) });
}

/** Ids of rules: `/constraints/cap`. */
export function constraintRules(plan: Plan, { slots, constants, final, spend }: RunModel): readonly Claim[] {
  const environment = { names: { var: constants, final }, slots };
  return plan.constraints.map(({ id, expression }) => {
    return { id: `/constraints/${id}`, term: expand(expression, environment, spend) };
  });
}
