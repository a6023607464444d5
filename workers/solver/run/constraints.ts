import type { Formula, Problem, Question } from '../decide/problem.ts';
import { expand } from '../language/expand.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunModel } from './run-builder.ts';
import { sheetRules } from './sheet-rules.ts';
import { withoutUnasked } from './without-unasked.ts';

/** The problem whether a run obeys the rules of the plan and of its sheets, and its state stays within its types. */
export function constraintsProblem(plan: Plan, model: RunModel, question: Question = 'holds'): Problem {
  const { variables, values, facts } = model;
  return withoutUnasked({ question, variables, values, facts, rules: constraintRules(plan, model) });
}

/** The rules of a plan for a run. Ids: `/constraints/cap`, `/actions/1/state/refundable`, and those of `sheetRules`. */
export function constraintRules(plan: Plan, model: RunModel): readonly Formula[] {
  const { slots, constants, final, states, spend } = model;
  const environment = { names: { var: constants, final }, slots };
  const written = plan.constraints.map(({ id, expression }): Formula => {
    return { id: `/constraints/${id}`, term: expand(expression, environment, spend) };
  });
  const bounds = states.flatMap(({ path, within }) => (within === undefined ? [] : [{ id: path, term: within }]));
  return [...written, ...sheetRules(plan, model), ...bounds];
}
