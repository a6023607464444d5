/** The request of `reserve`. Times are milliseconds since the epoch, compared with the clock of the database. */
export interface Reservation {
  /** UUIDv7. The same id gets the first outcome again. */
  readonly reservationId: string;
  /** An address in any letter case. */
  readonly wallet: string;
  /** The nonce of the challenge: 32 hexadecimal digits. */
  readonly nonce: string;
  /** When the challenge ends. */
  readonly expirationTimeMs: number;
  /** When the caller stops waiting. A later reserve is refused; a later sweep may resolve the reservation. */
  readonly deadlineMs: number;
  readonly operation: string;
  readonly amountMicroUsd: bigint;
  /** Address prefix of the caller, whose new grants are limited. Absent: not limited. */
  readonly grantScope?: string;
}

/**
 * Why nothing was reserved. `insufficient_balance`, `daily_budget_exhausted`, `grants_exhausted` and `throttled` have
 * used the nonce. The others changed nothing. The nonce was used before: `nonce_posted` for a call of this wallet that is
 * charged, `nonce_reserved` for one that has not ended, and `nonce_replayed` without a charge of this wallet. `voided`: the
 * id was voided before or since.
 */
export type ReserveDenial =
  | 'insufficient_balance'
  | 'daily_budget_exhausted'
  | 'grants_exhausted'
  | 'throttled'
  | 'nonce_posted'
  | 'nonce_reserved'
  | 'nonce_replayed'
  | 'expired'
  | 'deadline_passed'
  | 'lock_lost'
  | 'voided';

/** Only `caller_failed` counts against the wallet. */
export type VoidReason = 'caller_failed' | 'operation_failed' | 'retain_failed' | 'cancelled' | 'swept';

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
