import type { TrialReservation } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';

/** The request of `reserve`, without the lock that the client takes. */
export type Reservation = Readonly<Omit<TrialReservation, 'lockLeftMs'>>;

export interface OverdueOptions {
  readonly graceMs: number;
  readonly limit: number;
  /** Calls are trials and calls of channels. Refunds of channels are resolved in another way. */
  readonly of: 'calls' | 'refunds';
}

export interface OverdueReservation {
  readonly reservationId: string;
  readonly wallet: string;
  readonly operation: string;
  readonly amountMicroUsd: bigint;
  readonly deadlineMs: number;
}

/**
 * Why the ledger did not answer. Nothing was done, except perhaps for `uncertain`.
 * - `not_ready`: trials may not be admitted now.
 * - `lock_timeout`: the wallet is busy.
 * - `refused`: the ledger or the lock refused.
 * - `uncertain`: no answer came. A repeat with the same id tells whether it was done.
 */
export type LedgerUnavailableCode = 'not_ready' | 'lock_timeout' | 'refused' | 'uncertain';

export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
  readonly code: LedgerUnavailableCode;

  constructor(code: LedgerUnavailableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
