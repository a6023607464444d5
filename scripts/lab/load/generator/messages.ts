import type { Weighted } from '../scenarios/index.ts';

/** What a generator thread is started with. */
export interface ThreadSettings {
  readonly origin: string;
  readonly mix: readonly Weighted[];
  readonly keys: { readonly agent: string; readonly approver: string } | undefined;
  readonly page: string;
  readonly seed: number;
  /** Payment channels of this thread. */
  readonly channels: number;
  /** Connections of this thread at most. */
  readonly connections: number;
}

/** Calls that arrive at fixed times, whether or not earlier ones were answered. Rates are calls a second. */
export interface OpenPlan {
  readonly kind: 'open';
  readonly ratePerSecond: number;
}

/** A fixed number of calls in flight: the next one is sent when one ends. */
export interface ClosedPlan {
  readonly kind: 'closed';
  readonly inFlight: number;
}

/** The part of a step that one thread does. Times are milliseconds since the epoch, by the monotonic clock. */
export type ThreadPlan = (OpenPlan | ClosedPlan) & { readonly startMs: number; readonly durationMs: number };

export type ToThread =
  | { readonly kind: 'prepare'; readonly count: number }
  | { readonly kind: 'run'; readonly plan: ThreadPlan };

/** What happened within one second of a step. A call counts in the second in which it ended. */
export interface Second {
  /** From 0. Calls that end after the step count in later seconds. */
  readonly second: number;
  /** Calls that should have been sent in this second. */
  readonly offered: number;
  /** Milliseconds from the time when the call should have been sent to the end of its answer. */
  readonly good: Float64Array;
  readonly other: Float64Array;
  readonly codes: Readonly<Record<string, number>>;
}

export type FromThread =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'second'; readonly second: Second }
  | { readonly kind: 'ended'; readonly isOutOfStock: boolean }
  | { readonly kind: 'failed'; readonly message: string };
