import type { Plan } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { completionProblem } from './completion.ts';
import { countedCompletionProblem } from './counted-completion.ts';
import { type Judge, judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import { countOf } from './run-model.ts';

/** Of runs that are tried before one with a place for every action that may still be done. */
const MOST_BEYOND_SHORTEST = [0, 8] as const;

/**
 * Whether a run that begins with these actions can end within the rules. Three ways, the cheapest first:
 *
 * 1. Where it is enough to count the actions that are still done, counting decides.
 * 2. A short run has what the steps still want, and few actions more. If it obeys the rules, no longer one is needed.
 * 3. Otherwise there is a place for every action that may still be done.
 */
export function judgeCompletion(plan: Plan, actions: readonly Action[], by: Judge): Judgement {
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
