import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Plan } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { completionProblem } from './completion.ts';
import { countedCompletionProblem } from './counted-completion.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import { countOf } from './run-model.ts';

/** Lengths of the runs that are tried first, as actions beyond the shortest run. */
const MOST_BEYOND_SHORTEST = [0, 8] as const;

/**
 * Judges whether a run that begins with these actions can be completed within the rules. Three ways, the cheapest first:
 *
 * 1. Counting decides, if it is enough to count the further actions.
 * 2. A short run has the actions that the steps still require and a few more. If one obeys the rules, none longer is needed.
 * 3. Otherwise the problem has a place for every action that may still be done.
 */
export function judgeCompletion(plan: Plan, actions: readonly Action[], by: BoundedSolver): Judgement {
  const counted = judge('possible', () => countedCompletionProblem(plan, actions), by);
  if (counted !== undefined && counted.verdict !== 'indeterminate') return counted;
  const open = plan.steps.map((step) => {
    const done = countOf(actions, step);
    return { wanted: Math.max(0, step.min - done), allowed: Math.max(0, step.max - done) };
  });
  const shortest = open.reduce((sum, { wanted }) => sum + wanted, 0);
  const longest = open.reduce((sum, { allowed }) => sum + allowed, 0);
  for (const beyond of MOST_BEYOND_SHORTEST) {
    if (shortest + beyond >= longest) break;
    const short = judge('possible', () => completionProblem(plan, actions, shortest + beyond), by);
    if (short.verdict === 'satisfied') return short;
  }
  return judge('possible', () => completionProblem(plan, actions), by);
}
