import type pg from 'pg';
import type { Reservation, VoidReason } from '../contract/ledger.ts';
import { createPost, type PostOutcome, type SealedAnswer } from './post.ts';
import { createReserve, type LockedReservation, type TrialOutcome, type TrialTerms } from './reserve.ts';
import { createVoid, type VoidOutcome } from './void.ts';

export interface TrialLedgerOptions {
  readonly pool: pg.Pool;
  /** CAIP-2. Each network has its own credit. */
  readonly network: string;
  readonly terms: TrialTerms;
  /** A clock that never goes back, for the time that is left of locks. */
  readonly monotonicMs: () => number;
}

/** The credit of wallets. Every call may be repeated with the same id. Every method throws `LedgerUnavailableError`. */
export interface TrialLedger {
  /** Uses the nonce and reserves the amount, against the wallet's grant and the budget of the UTC day. */
  reserve(reservation: Reservation & LockedReservation): Promise<TrialOutcome>;
  /** Charges an open reservation and stores its answer, in one durable commit. */
  post(answer: SealedAnswer): Promise<PostOutcome>;
  /** Returns the amount of an open reservation. */
  void(reservationId: string, reason: VoidReason): Promise<VoidOutcome>;
}

export function createTrialLedger(options: TrialLedgerOptions): TrialLedger {
  return { reserve: createReserve(options), post: createPost(options), void: createVoid(options) };
}
