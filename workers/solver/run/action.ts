import type { ActionDocument } from '../../exact/action-schema.ts';
import type { Value } from '../language/values.ts';
import type { Step } from '../plan/plan.ts';

/** An action, read by the types of the step that it claims to be. */
export interface Action {
  readonly stepId: string;
  /** name@version, as claimed. */
  readonly tool: string;
  /** Undefined where the plan has no such step. */
  readonly step: Step | undefined;
  /** Undefined where the step is unknown or its tool is another: then nothing says what types they have. */
  readonly args: ReadonlyMap<string, Value> | undefined;
  /** Undefined for an intent as well. */
  readonly response: ReadonlyMap<string, Value> | undefined;
  /** What was done, as it was recorded; undefined for an intent. */
  readonly record: ActionDocument | undefined;
}
