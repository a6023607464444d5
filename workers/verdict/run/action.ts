import { type ActionDocument, type Outcome, reportedOutcome } from '../../exact/action-schema.ts';
import type { Value } from '../../plan/language/values.ts';
import type { Step } from '../../plan/plan.ts';

/** An action, read with the types of the step that it names. */
export interface Action {
  readonly stepId: string;
  /** name@version, as the action says. */
  readonly tool: string;
  /** Undefined if the plan has no such step. */
  readonly step: Step | undefined;
  /** Undefined if the step is unknown or has another tool: then the types are unknown. */
  readonly args: ReadonlyMap<string, Value> | undefined;
  /** Undefined in these cases, for an intent, and for an act that is not `done`. */
  readonly response: ReadonlyMap<string, Value> | undefined;
  /** The action as recorded. Undefined for an intent. */
  readonly record: ActionDocument | undefined;
  /** Whether another action counts for it: both are attempts of one act. */
  readonly isAttempt?: boolean | undefined;
  /**
   * Set if several attempts of one act may have taken effect: the indexes of the earlier ones. The act takes effect once, at the
   * first attempt that does.
   */
  readonly earlier?: readonly number[] | undefined;
  /** Index of the attempt of the same act that is done. Its response is that of the act. */
  readonly doneAs?: number | undefined;
}

/** The actions of each run of a plan that was recorded before, in the order in which they were recorded. */
export type EarlierRuns = readonly (readonly Action[])[];

/** `done` for an intent. */
export const outcomeOf = ({ record }: Partial<Pick<Action, 'record'>>): Outcome => reportedOutcome(record ?? {});
export const isDone = (action: Partial<Pick<Action, 'record'>>): boolean => outcomeOf(action) === 'done';
