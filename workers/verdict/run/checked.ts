import type { Judgement } from './judgement.ts';
import type { Slack } from './slack.ts';

export type CheckName = 'plan_alignment' | 'constraints';

/** An error in a document. `path` is a JSON pointer (RFC 6901) into the plan, or starts with `/actions`. */
export interface Fault {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export interface Checked {
  /** Present if the documents could not be read, so that nothing was judged. */
  readonly fault?: Fault;
  readonly judgement: Judgement;
}

export interface Linted extends Checked {
  readonly lint: readonly Fault[];
}

export interface ReadActions {
  readonly fault?: Fault;
  /** `identity` is the value that identifies an act of the tool. It is missing if step and tool do not match, or it is not done. */
  readonly actions: readonly {
    readonly identity?: string;
    readonly isAttempt?: boolean;
    /** Of its arguments, which are not those of its tool. */
    readonly fault?: Fault;
  }[];
}

export interface Preflight {
  readonly fault?: Fault;
  readonly alignment: Judgement;
  readonly constraints: Judgement;
  /** How often each step must and may still be done after the action. */
  readonly remaining: readonly { readonly step_id: string; readonly min: number; readonly max: number }[];
  readonly slacks: readonly Slack[];
  /** Indexes of earlier actions for which another action counts. */
  readonly attempts: readonly number[];
  /**
   * Present if the action passes before the plan expires, but not if it starts now: the first instant of the schedule at which
   * it passes, or null if it passes at none of them.
   */
  readonly passesFrom?: string | null;
}
