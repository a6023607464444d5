import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { RunBuilder, type RunModel } from './run-builder.ts';

/**
 * Models a run that is over: the actions that were done, and nothing else. A state is a variable of its own after each
 * action, because terms put into terms would grow without end.
 * @param actions those whose step is known and whose tool is the step's
 * @throws {LanguageError} TOO_MANY_NODES
 */
export function modelRun(plan: Plan, actions: readonly Action[]): RunModel {
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  return builder;
}

/** How often a step was done, rightly or not. */
export function countOf(actions: readonly Action[], { stepId }: Step): number {
  return actions.filter((action) => action.stepId === stepId).length;
}
