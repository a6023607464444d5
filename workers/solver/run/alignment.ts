import type { Formula, Problem, Question } from '../decide/problem.ts';
import { definitely } from '../elaborate/elaborate.ts';
import { literal, type Term } from '../language/terms.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { countByStep } from './count-by-step.ts';
import { follow } from './course.ts';
import { placed } from './placed-action.ts';
import type { PlannedRun } from './session.ts';
import { withoutUnasked } from './without-unasked.ts';

export interface AlignmentOptions {
  readonly question: Question;
  /** Whether no further actions follow, so that each step must be done often enough. */
  readonly isComplete: boolean;
}

/**
 * The problem whether the actions are those of the plan: each is a step of the plan with the step's tool, meets its
 * conditions, comes after the steps that it waits for, and occurs neither too rarely nor too often. What an action says
 * about itself is a fact that the rules are checked against.
 *
 * Ids of rules: `/actions/0/step`, `/actions/0/tool`, `/actions/0/where/order`, `/actions/1/after/look`,
 * `/steps/pay/max`, `/steps/pay/min`; and `/actions/2/order/pay`: the action comes after one of `pay`, before which it must
 * come if it comes at all.
 */
export function alignmentProblem(
  { plan, actions, circumstances }: PlannedRun,
  { question, isComplete }: AlignmentOptions,
): Problem {
  const rules = [...orderRules(plan, actions)];
  const done = new Map<Step, number>();
  const { session } = follow(plan, placed(actions), {
    circumstances,
    visit({ path, step }, before) {
      // An action beyond its step's max breaks that rule already.
      const number = (done.get(step) ?? 0) + 1;
      done.set(step, number);
      if (number > step.max) return;
      for (const { id, expression } of step.where) {
        rules.push({ id: `${path}/where/${id}`, term: definitely(expression, before) });
      }
    },
  });
  const { variables, facts } = session;
  rules.push(...countRules(plan, actions, isComplete));
  return withoutUnasked({ question, variables, values: new Map(), facts, rules, asks: 'values' });
}

/** Each action is a step of the plan with the step's tool, and comes after the steps that it waits for. */
function* orderRules(plan: Plan, actions: readonly Action[]): Generator<Formula> {
  const before = new Map<string, number>();
  const countOf = (stepId: string) => literal(BigInt(before.get(stepId) ?? 0));
  for (const [index, { stepId, tool, step }] of actions.entries()) {
    const path = `/actions/${index}`;
    const known = step === undefined ? plan.steps : [step];
    yield { id: `${path}/step`, term: { op: 'or', args: known.map((each) => equals(stepId, each.stepId)) } };
    if (step !== undefined) {
      yield { id: `${path}/tool`, term: equals(tool, step.tool.ref) };
      for (const { stepId: wanted, atLeast } of step.after) {
        if (atLeast === 0) continue;
        yield { id: `${path}/after/${wanted}`, term: atMost(literal(BigInt(atLeast)), countOf(wanted)) };
      }
      for (const later of plan.steps) {
        const isTooLate = later.after.some((one) => one.atLeast === 0 && one.stepId === stepId);
        if (isTooLate) yield { id: `${path}/order/${later.stepId}`, term: atMost(countOf(later.stepId), literal(0n)) };
      }
    }
    before.set(stepId, (before.get(stepId) ?? 0) + 1);
  }
}

/** Each step is done neither too rarely nor too often. */
function countRules(plan: Plan, actions: readonly Action[], isComplete: boolean): readonly Formula[] {
  const counts = countByStep(actions);
  return plan.steps.flatMap(({ stepId, min, max }): readonly Formula[] => {
    const count = literal(BigInt(counts.get(stepId) ?? 0));
    const most: Formula = { id: `/steps/${stepId}/max`, term: atMost(count, literal(BigInt(max))) };
    const least: Formula = { id: `/steps/${stepId}/min`, term: atMost(literal(BigInt(min)), count) };
    return isComplete ? [most, least] : [most];
  });
}

const equals = (left: string, right: string): Term => ({ op: '=', left: literal(left), right: literal(right) });
const atMost = (left: Term, right: Term): Term => ({ op: '<=', left, right });
