import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { BOOL, RunBuilder, type RunModel } from './run-builder.ts';

/**
 * Models a run. What was done are facts, and so is what was not: every action that the plan allows has its place, for
 * a rule that asks for one to be false of this run, and not of every run. A state is a variable of its own after each
 * action, as terms put into terms would grow without end, and when all is done.
 * @param actions those whose step is known and whose tool is the step's
 * @throws {LanguageError} TOO_MANY_NODES
 */
export function modelRun(plan: Plan, actions: readonly Action[]): RunModel {
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  for (const step of plan.steps) {
    for (let number = countOf(actions, step); number < step.max; number++) {
      const path = `/steps/${step.stepId}/open/${number}`;
      builder.addSlot(step, { path, present: builder.variable(`${path}/present`, BOOL, false) });
    }
  }
  builder.endState('/final');
  return builder;
}

/** How often a step was done, rightly or not. */
export function countOf(actions: readonly Action[], { stepId }: Step): number {
  return actions.filter((action) => action.stepId === stepId).length;
}
