import { type Action, isDone } from './action.ts';

export type Counted = Pick<Action, 'stepId'> & Partial<Pick<Action, 'record' | 'isAttempt'>>;

/** How many acts name each step, by its id. Attempts of one act are counted once. */
export function countByStep(actions: readonly Counted[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stepId, isAttempt } of actions) if (!isAttempt) counts.set(stepId, (counts.get(stepId) ?? 0) + 1);
  return counts;
}

/** How many of them are done. */
export const doneByStep = (actions: readonly Counted[]): ReadonlyMap<string, number> =>
  countByStep(actions.filter(isDone));
