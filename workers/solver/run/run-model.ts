import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { RunBuilder, type RunModel } from './run-builder.ts';

/**
 * Models a finished run. The state after each action is a variable of its own, because terms inside terms would grow
 * without end.
 * @param actions actions whose step and tool are not the plan's are left out
 * @throws {DocumentError} TOO_MANY_NODES
 */
export function modelRun(plan: Plan, actions: readonly Action[]): RunModel {
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  return builder;
}

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
