import { literal, type Term } from '../../plan/language/terms.ts';
import { isAlwaysRecorded } from '../../plan/never-modelled.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Formula, Problem, Question } from '../decide/problem.ts';
import { isOver, type Span, spanOf } from '../elaborate/order.ts';
import { type Action, isDone, outcomeOf } from './action.ts';
import { append } from './append.ts';
import { attemptOf, attemptRules } from './attempts.ts';
import { countByStep, doneByStep } from './count-by-step.ts';
import type { PlannedRun } from './encoding-session.ts';
import { placed } from './placed-action.ts';
import { ruleOf } from './rule-of.ts';
import type { Schedule } from './schedules.ts';
import { createStateOrder } from './shared-state.ts';
import { toProblem } from './to-problem.ts';
import { traceRun } from './trace.ts';

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
 * `/steps/pay/max`, `/steps/pay/min`; `/actions/2/order/pay`: the action comes after one of `pay`, before which it must come
 * if it comes at all; and `/actions/2/overlap/balance`: it starts before one has ended with which it shares a state.
 */
export function alignmentProblem(
  { plan, actions, runContext }: PlannedRun,
  { question, isComplete }: AlignmentOptions,
  assigned?: Schedule,
): Problem {
  const rules = [...orderRules(plan, actions)];
  const done = new Map<Step, number>();
  rules.push(...attemptRules(actions), ...outcomeRules(plan, actions));
  const orderByState = createStateOrder(plan);
  const { session } = traceRun(plan, placed(actions), {
    runContext,
    assigned,
    visit(action, before) {
      const { path, step, record, isAttempt } = action;
      const span = spanOf(record, path);
      if (span !== undefined)
        rules.push(...orderByState({ path, step, span, act: attemptOf(action), isDone: isDone(action) }, before));
      // An action beyond its step's max breaks that rule already.
      const number = (done.get(step) ?? 0) + (isAttempt ? 0 : 1);
      done.set(step, number);
      if (number > step.max) return;
      for (const { id, expression } of step.where) {
        rules.push(ruleOf(`${path}/where/${id}`, expression, before));
      }
    },
  });
  rules.push(...countRules(plan, actions, isComplete));
  return toProblem(session, { question, rules, asks: 'values' });
}

/** Each action is a step of the plan with the step's tool, and comes after the actions that it waits for. */
function* orderRules(plan: Plan, actions: readonly Action[]): Generator<Formula> {
  const before = new Map<string, Earlier[]>();
  const doneOf = (stepId: string) => before.get(stepId) ?? [];
  for (const [index, action] of actions.entries()) {
    const { stepId, tool, step, record } = action;
    const path = `/actions/${index}`;
    const span = spanOf(record, path);
    const known = step === undefined ? plan.steps : [step];
    yield { id: `${path}/step`, term: { op: 'or', args: known.map((each) => equals(stepId, each.stepId)) } };
    if (step !== undefined) {
      yield {
        id: `${path}/tool`,
        term: equals(tool, step.tool.ref),
        fault: () => `is not ${step.tool.ref}, the tool of the step`,
      };
      for (const { stepId: wanted, atLeast } of step.after) {
        // With 0, each that is done at all is done before. Otherwise, only one that is done helps.
        const earlier = doneOf(wanted).filter((each) => atLeast === 0 || each.isDone);
        const ended = earlier.filter((each) => isOver(each.span, span)).length;
        const needed = atLeast === 0 ? earlier.length : atLeast;
        const fault = () => {
          const running = earlier.find((each) => !isOver(each.span, span));
          if (running !== undefined)
            return `action ${running.index + 1} of the run has not ended before: wait for its end`;
          return `needs ${needed} of ${wanted} that ${needed === 1 ? 'is' : 'are'} done before, and has ${ended}`;
        };
        yield { id: `${path}/after/${wanted}`, term: atMost(countTerm(needed), countTerm(ended)), fault };
      }
      for (const later of plan.steps) {
        const isTooLate = later.after.some((one) => one.atLeast === 0 && one.stepId === stepId);
        const count = countTerm(doneOf(later.stepId).length);
        if (isTooLate) yield { id: `${path}/order/${later.stepId}`, term: atMost(count, literal(0n)) };
      }
    }
    if (!action.isAttempt) append(before, stepId, { index, span, isDone: isDone(action) });
  }
}

interface Earlier {
  readonly index: number;
  readonly span: Span | undefined;
  readonly isDone: boolean;
}

/** A plan may ask that every act is done. Ids: `/actions/2/outcome`. */
function outcomeRules({ mustBeDone }: Plan, actions: readonly Action[]): readonly Formula[] {
  if (!mustBeDone) return [];
  return actions.map((action, index) => {
    const term = literal(isDone(action));
    return { id: `/actions/${index}/outcome`, term, fault: () => `is ${outcomeOf(action)}, and must be done` };
  });
}

const countTerm = (count: number): Term => literal(BigInt(count));

/** Each step is done neither too rarely nor too often, and no more actions are believed than the plan allows. */
function countRules(plan: Plan, actions: readonly Action[], isComplete: boolean): readonly Formula[] {
  const acts = actions.filter(({ isAttempt }) => !isAttempt);
  const counts = countByStep(acts);
  const done = doneByStep(acts);
  const believed = acts.filter(({ step }) => step !== undefined && isAlwaysRecorded(step.tool, plan)).length;
  const recorded: Formula = { id: '/max_recorded', term: atMost(countTerm(believed), countTerm(plan.maxRecorded)) };
  const ofSteps = plan.steps.flatMap(({ stepId, min, max }): readonly Formula[] => {
    const most: Formula = {
      id: `/steps/${stepId}/max`,
      term: atMost(countTerm(counts.get(stepId) ?? 0), countTerm(max)),
    };
    const least: Formula = {
      id: `/steps/${stepId}/min`,
      term: atMost(countTerm(min), countTerm(done.get(stepId) ?? 0)),
    };
    return isComplete ? [most, least] : [most];
  });
  return [...ofSteps, recorded];
}

const equals = (left: string, right: string): Term => ({ op: '=', left: literal(left), right: literal(right) });
const atMost = (left: Term, right: Term): Term => ({ op: '<=', left, right });
