import type { Step } from '../../plan/plan.ts';
import type { Action } from './action.ts';

/** How many actions name a step, whether or not they meet its conditions. */
export function countOf(actions: readonly Action[], { stepId }: Step): number {
  return actions.filter((action) => action.stepId === stepId).length;
}

/** How many actions name each step, by its id: all steps in one pass. */
export function countByStep(actions: readonly { readonly stepId: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stepId } of actions) counts.set(stepId, (counts.get(stepId) ?? 0) + 1);
  return counts;
}
