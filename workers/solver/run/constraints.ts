import type { Claim, Problem, Question } from '../decide/verdict.ts';
import { expand, type SpendNodes } from '../language/expand.ts';
import { literal, type Term } from '../language/terms.ts';
import { withoutBounds } from '../language/types.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunModel, StateAfter } from './run-builder.ts';
import { sheetRules } from './sheet-rules.ts';
import { withoutUnasked } from './without-unasked.ts';

/** Whether a run obeys the rules of the plan and of its sheets, and its state stays within its types. */
export function constraintsProblem(plan: Plan, model: RunModel, question: Question = 'holds'): Problem {
  const { variables, values, facts } = model;
  return withoutUnasked({ question, variables, values, facts, rules: constraintRules(plan, model) });
}

/** Ids of rules: `/constraints/cap`, `/actions/1/state/refundable`, and those of `sheetRules`. */
export function constraintRules(plan: Plan, model: RunModel): readonly Claim[] {
  const { slots, constants, final, states, spend } = model;
  const environment = { names: { var: constants, final }, slots };
  const written = plan.constraints.map(({ id, expression }): Claim => {
    return { id: `/constraints/${id}`, term: expand(expression, environment, spend) };
  });
  const bounds = states.flatMap((state) => stayWithin(state, spend).map((term) => ({ id: state.path, term })));
  return [...written, ...sheetRules(plan, model), ...bounds];
}

/** That a state is within the bounds of its type, if it has any. */
export function stayWithin({ type, term }: StateAfter, spend: SpendNodes): readonly Term[] {
  const widest = withoutBounds(type);
  if (!('min' in type) || !('min' in widest)) return [];
  const bounds: Term[] = [];
  if (type.min > widest.min) bounds.push({ op: '<=', left: literal(type.min), right: term });
  if (type.max < widest.max) bounds.push({ op: '<=', left: term, right: literal(type.max) });
  spend(4 * bounds.length);
  return bounds.length === 0 ? [] : [{ op: 'and', args: bounds }];
}
