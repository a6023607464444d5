import type { StorePosition, StoreReadiness } from '../../platform/redis/redis-guard.ts';
import type { ChannelLedger } from './channels.ts';

/** The position of a ledger: its random id, and the number of its journal entries. */
export type LedgerPosition = StorePosition;

/** The request of `reserve`. Times are milliseconds since the epoch, compared with the clock of Redis. */
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
 * used the nonce. The others changed nothing. `voided`: the id was voided before or since.
 */
export type ReserveDenial =
  | 'insufficient_balance'
  | 'daily_budget_exhausted'
  | 'grants_exhausted'
  | 'throttled'
  | 'nonce_replayed'
  | 'expired'
  | 'deadline_passed'
  | 'lock_lost'
  | 'voided';

/** The balance is the wallet's remaining credit; for a wallet without an account, the grant that it would get. */
export type ReserveOutcome =
  | { readonly state: 'reserved'; readonly balanceMicroUsd: bigint; readonly position: LedgerPosition }
  | { readonly state: ReserveDenial; readonly balanceMicroUsd: bigint };

/** Only `caller_failed` counts against the wallet. In journals of earlier releases `operation_failed` means both. */
export type VoidReason = 'caller_failed' | 'operation_failed' | 'retain_failed' | 'cancelled' | 'swept';

/** How a reservation ended. The balance is undefined if the ledger does not know the wallet. */
export interface Resolution {
  /** `unknown`: the id was never reserved, or was resolved more than a day ago. */
  readonly state: 'posted' | 'voided' | 'unknown';
  readonly balanceMicroUsd: bigint | undefined;
}

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

export interface JournalPage {
  readonly position: LedgerPosition;
  readonly entries: readonly { readonly sequence: bigint; readonly text: string }[];
}

/** A broken invariant of a wallet, day, nonce or reservation. */
export interface AuditViolation {
  readonly invariant:
    | 'grants_add_up'
    | 'one_grant'
    | 'day_within_budget'
    | 'one_reservation_per_nonce'
    | 'one_resolution'
    | 'channel_as_contract'
    | 'voucher_is_exact'
    | 'stored_as_journaled'
    | 'copied_as_journaled';
  readonly subject: string;
  readonly detail: string;
}

export interface AuditReport {
  readonly position: LedgerPosition;
  readonly wallets: number;
  readonly pending: number;
  readonly violations: readonly AuditViolation[];
}

/** Amounts are micro-USD. */
export interface LedgerFigures {
  readonly dayUtc: string;
  /** What trials have used of the day's budget. */
  readonly usedMicroUsd: bigint;
  readonly open: number;
  /** Of the `summed` reservations with the earliest deadlines. */
  readonly reservedMicroUsd: bigint;
  readonly summed: number;
  /** When the oldest of them was made, in milliseconds since the epoch. */
  readonly oldestAtMs: number | undefined;
}

export interface LedgerServer {
  readonly version: string;
  /** Until it answered. */
  readonly milliseconds: number;
  readonly usedBytes: bigint;
  /** 0: no limit. */
  readonly maxBytes: bigint;
}

export type LedgerReadiness = StoreReadiness;

/**
 * Why the ledger did not answer. Nothing was done, except perhaps for `uncertain`.
 * - `not_ready`: trials may not be admitted now.
 * - `lock_timeout`: the wallet is busy.
 * - `refused`: Redis refused (read-only, out of memory, loading).
 * - `rolled_back`: Redis has lost data that it had confirmed.
 * - `uncertain`: no answer came. A repeat with the same id tells whether it was done.
 */
export type LedgerUnavailableCode = 'not_ready' | 'lock_timeout' | 'refused' | 'rolled_back' | 'uncertain';

export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
  readonly code: LedgerUnavailableCode;

  constructor(code: LedgerUnavailableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The credit of wallets and channels, as two-phase transfers: a reservation is posted (spent) or voided (returned), once. Every call
 * may be repeated with the same id. Every method throws `LedgerUnavailableError`.
 */
export interface Ledger extends ChannelLedger {
  /** Uses the nonce and reserves the amount, against the wallet's grant and the budget of the UTC day. */
  reserve(reservation: Reservation): Promise<ReserveOutcome>;
  post(reservationId: string): Promise<Resolution>;
  /** An id that was never reserved is refused for a day, so that a late `reserve` finds it `voided`. */
  void(reservationId: string, reason: VoidReason): Promise<Resolution>;
  balance(wallet: string): Promise<bigint>;
  /** The rest of today's budget, for answers to unsigned requests. */
  budget(): Promise<{ readonly dayUtc: string; readonly remainingMicroUsd: bigint }>;
  /** What an operator watches. */
  figures(): Promise<LedgerFigures>;
  /** The Redis that has the ledger. */
  server(): Promise<LedgerServer>;
  /** Pending reservations whose deadline passed more than `graceMs` ago, the oldest first. */
  overdue(options: OverdueOptions): Promise<readonly OverdueReservation[]>;
  /** Up to `limit` entries of the journal from a sequence on, and the position before they were read. */
  journal(from: bigint, limit: number): Promise<JournalPage>;
  /** Replays the journal and compares the stored state with it. Safe during live traffic. */
  audit(): Promise<AuditReport>;
  /** Milliseconds since the epoch by the clock of Redis, which decides on deadlines and expirations. */
  now(): number;
  /** How far the clock of this machine is ahead of that one; undefined until it is known. */
  clockSkewMs(): number | undefined;
  /** The last known answer to: may trials be admitted? Costs nothing. */
  ready(): LedgerReadiness;
  /** Looks again now, connecting first where needed. */
  check(): Promise<LedgerReadiness>;
  close(): Promise<void>;
}
