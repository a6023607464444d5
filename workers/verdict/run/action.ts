import type { ActionDocument, Outcome } from '../../exact/action-schema.ts';
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
  readonly chance?: Chance | undefined;
}

/** An act with several attempts takes effect at the first one that does. Indexes of the attempts before this one, and of the one that is done. */
export interface Chance {
  readonly earlier: readonly number[];
  readonly done: number | undefined;
}

/** `done` for an intent. */
export const outcomeOf = ({ record }: Partial<Pick<Action, 'record'>>): Outcome => record?.outcome ?? 'done';
export const isDone = (action: Partial<Pick<Action, 'record'>>): boolean => outcomeOf(action) === 'done';
