import type { LedgerPlace } from './read-outcomes.ts';

/** What all wallets get, and may use together. 0 grants or failures: unlimited. */
export interface TrialTerms {
  readonly grantMicroUsd: bigint;
  readonly dailyBudgetMicroUsd: bigint;
  /** Maximum of new grants per `grantScope` and UTC day. */
  readonly grantsPerScope: number;
  /** Number of `caller_failed` voids within an hour that throttle a wallet. */
  readonly failuresPerHour: number;
}

export interface TrialLedgerOptions extends LedgerPlace {
  readonly terms: TrialTerms;
  /** A clock that never goes back, for the time that is left of locks. */
  readonly monotonicMs: () => number;
}

export interface SweepOptions {
  readonly graceMs: number;
  readonly limit: number;
}
