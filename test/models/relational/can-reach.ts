import type { Expression } from '../../../workers/plan/language/terms.ts';
import type { Plan } from '../../../workers/plan/plan.ts';
import { decide } from '../../../workers/verdict/decide/decide.ts';
import type { Formula } from '../../../workers/verdict/decide/problem.ts';
import type { BoundedSolver } from '../../../workers/verdict/decide/smt-solver.ts';
import { rulesAtEnd, rulesOfAction } from '../../../workers/verdict/run/constraints.ts';
import { ruleOf } from '../../../workers/verdict/run/rule-of.ts';
import { toProblem } from '../../../workers/verdict/run/to-problem.ts';
import { traceRun } from '../../../workers/verdict/run/trace.ts';

/** Sequences of steps that are asked about. */
const MAX_SEQUENCES = 100;

/**
 * Whether some run that obeys the plan also obeys a rule and has an action of a step. Every sequence of steps is asked about by
 * itself, with all values open, so that neither bounds nor the search have a part in the answer.
 * @returns undefined if it is not decided: there are too many sequences, or the solver gives up
 */
export function canReach(plan: Plan, step: number, rule: Expression, solver: BoundedSolver): boolean | undefined {
  const others = (sequence: readonly number[]) => sequence.filter((each) => each !== step).length;
  const sequences = sequencesOf(plan.steps.map(({ max }) => max))
    .filter((sequence) => sequence.includes(step))
    .toSorted((one, other) => others(one) - others(other) || other.length - one.length);
  const verdicts = new Set<string>();
  for (const sequence of sequences.slice(0, MAX_SEQUENCES)) {
    const verdict = judge(plan, sequence, rule, solver);
    if (verdict === 'satisfied') return true;
    verdicts.add(verdict);
  }
  const isComplete = sequences.length <= MAX_SEQUENCES && verdicts.size === 1 && verdicts.has('violated');
  return isComplete ? false : undefined;
}

function sequencesOf(left: readonly number[]): readonly (readonly number[])[] {
  const longer = left.flatMap((times, step) =>
    times === 0 ? [] : sequencesOf(left.with(step, times - 1)).map((rest) => [step, ...rest]),
  );
  return [[], ...longer];
}

function judge(plan: Plan, sequence: readonly number[], rule: Expression, solver: BoundedSolver): string {
  const actions = sequence.flatMap((index, position) => {
    const step = plan.steps[index];
    const path = `/actions/${position}`;
    return step === undefined
      ? []
      : [{ path, step, args: undefined, response: undefined, record: undefined, index: undefined }];
  });
  const rules: Formula[] = [];
  const trace = traceRun(plan, actions, {
    visit(action, before) {
      rules.push(...rulesOfAction(plan, action, before));
      for (const { id, expression } of action.step.where)
        rules.push(ruleOf(`${action.path}/where/${id}`, expression, before));
    },
  });
  rules.push(...rulesAtEnd(plan, trace), ...trace.bounds, ruleOf('/reach', rule, trace.end));
  return decide(toProblem(trace.session, { question: 'possible', rules }), solver).verdict;
}
