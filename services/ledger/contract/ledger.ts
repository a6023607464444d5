import type { StorePosition, StoreReadiness } from '../../platform/redis/redis-guard.ts';

/** How far a ledger is: the random id made with it, and the number of its journal entries. */
export type LedgerPosition = StorePosition;

/** What `reserve` is asked for. Times are milliseconds since the epoch, judged by the clock of Redis. */
export interface Reservation {
  /** UUIDv7: the same id again gets the first outcome again. */
  readonly reservationId: string;
  /** An address in any letter case. */
  readonly wallet: string;
  /** Of the challenge: 32 hexadecimal digits. */
  readonly nonce: string;
  /** When the challenge ends. */
  readonly expirationTimeMs: number;
  /** When the caller stops waiting for the operation; a later reserve is refused, a later sweep may resolve. */
  readonly deadlineMs: number;
  readonly operation: string;
  readonly amountMicroUsd: bigint;
  /** Where the call comes from (an address prefix), to bound new grants. Absent: not bounded. */
  readonly grantScope?: string;
}

/**
 * Why nothing was reserved. Of these, `insufficient_balance`, `daily_budget_exhausted`, `grants_exhausted` and
 * `throttled` have burnt the nonce; the others changed nothing. `voided`: the id was voided before or since.
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

/** The balance is what the wallet has left to spend; for a wallet without an account, the grant it would get. */
export type ReserveOutcome =
  | { readonly state: 'reserved'; readonly balanceMicroUsd: bigint; readonly position: LedgerPosition }
  | { readonly state: ReserveDenial; readonly balanceMicroUsd: bigint };

/** Only `caller_failed` counts against the wallet. In the journals of earlier releases `operation_failed` stands for both. */
export type VoidReason = 'caller_failed' | 'operation_failed' | 'retain_failed' | 'cancelled' | 'swept';

/** How a reservation ended. The balance is undefined where the ledger does not know the wallet. */
export interface Resolution {
  /** `unknown`: never reserved, or resolved more than a day ago. */
  readonly state: 'posted' | 'voided' | 'unknown';
  readonly balanceMicroUsd: bigint | undefined;
}

export interface OverdueReservation {
  readonly reservationId: string;
  readonly wallet: string;
  readonly operation: string;
  readonly amountMicroUsd: bigint;
  readonly deadlineMs: number;
}

/** One broken invariant, numbered as in the design, on a wallet, day, nonce or reservation. */
export interface AuditViolation {
  readonly invariant:
    | 'grants_add_up'
    | 'one_grant'
    | 'day_within_budget'
    | 'one_reservation_per_nonce'
    | 'one_resolution'
    | 'stored_as_journaled';
  readonly subject: string;
  readonly detail: string;
}

export interface AuditReport {
  readonly position: LedgerPosition;
  readonly wallets: number;
  readonly pending: number;
  readonly violations: readonly AuditViolation[];
}

export type LedgerReadiness = StoreReadiness;

/**
 * - `not_ready`: trials may not be admitted now; nothing was done.
 * - `lock_timeout`: the wallet is busy; nothing was done.
 * - `refused`: Redis said no (read-only, out of memory, loading); nothing was done.
 * - `rolled_back`: Redis has lost what it had answered before; nothing was done.
 * - `uncertain`: no answer came; it may have been done. The same id again tells.
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
 * The credit of wallets, kept as two-phase transfers: a reservation is posted (spent) or voided (given back), once.
 * Every call may be repeated with the same id. All throw `LedgerUnavailableError`.
 */
export interface Ledger {
  /** Burns the nonce and sets the amount aside, against the wallet's grant and the budget of the UTC day. */
  reserve(reservation: Reservation): Promise<ReserveOutcome>;
  post(reservationId: string): Promise<Resolution>;
  /** Of an id that was never reserved: refuses it for a day, so that a late `reserve` finds it `voided`. */
  void(reservationId: string, reason: VoidReason): Promise<Resolution>;
  balance(wallet: string): Promise<bigint>;
  /** What is left of today's budget, for the answer to an unsigned request. */
  budget(): Promise<{ readonly dayUtc: string; readonly remainingMicroUsd: bigint }>;
  /** Pending reservations whose deadline passed more than `graceMs` ago, the oldest first. */
  overdue(options: { readonly graceMs: number; readonly limit: number }): Promise<readonly OverdueReservation[]>;
  /** Replays the journal and compares what is stored with it. Safe beside live traffic. */
  audit(): Promise<AuditReport>;
  /** Milliseconds since the epoch by the clock that decides on deadlines and expirations, which is that of Redis. */
  now(): number;
  /** How far the clock of this machine is ahead of that one; undefined until it is known. */
  clockSkewMs(): number | undefined;
  /** The last known answer to: may trials be admitted? Costs nothing. */
  ready(): LedgerReadiness;
  /** Looks again now, connecting first where needed. */
  check(): Promise<LedgerReadiness>;
  close(): Promise<void>;
}
