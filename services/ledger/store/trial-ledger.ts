import type { OverdueOptions, OverdueReservation, Reservation, VoidReason } from '../contract/ledger.ts';
import type { TrialOutcome } from '../contract/outcomes.ts';
import { auditLedger, type LedgerAudit } from './audit.ts';
import { createPost, type PostOutcome, type SealedAnswer } from './post.ts';
import { createReads, type TrialFigures } from './reads.ts';
import { createReserve, type LockedReservation } from './reserve.ts';
import { createSweep, type Sweep } from './sweep.ts';
import type { SweepOptions, TrialLedgerOptions } from './trial-options.ts';
import { createVoid, type VoidOutcome } from './void.ts';

/** The credit of wallets. Every call may be repeated with the same id. Every method throws `LedgerUnavailableError`. */
export interface TrialLedger {
  /** Uses the nonce and reserves the amount, against the wallet's grant and the budget of the UTC day. */
  reserve(reservation: Reservation & LockedReservation): Promise<TrialOutcome>;
  /** Charges an open reservation and stores its answer, in one durable commit. */
  post(answer: SealedAnswer): Promise<PostOutcome>;
  /** Returns the amount of an open reservation. */
  void(reservationId: string, reason: VoidReason): Promise<VoidOutcome>;
  /** The wallet's credit. A wallet without an account has the grant that it would get. */
  balance(wallet: string): Promise<bigint>;
  /** The rest of today's budget, for answers to unsigned requests. */
  budget(): Promise<{ readonly dayUtc: string; readonly remainingMicroUsd: bigint }>;
  figures(): Promise<TrialFigures>;
  /** Open reservations whose deadline passed more than `graceMs` ago, the oldest first. */
  overdue(options: OverdueOptions): Promise<readonly OverdueReservation[]>;
  /** Voids up to `limit` of them. */
  sweep(options: SweepOptions): Promise<Sweep>;
  /** Checks the books. Safe during live traffic. */
  audit(): Promise<LedgerAudit>;
}

export function createTrialLedger(options: TrialLedgerOptions): TrialLedger {
  return {
    reserve: createReserve(options),
    post: createPost(options),
    void: createVoid(options),
    ...createReads(options),
    sweep: createSweep(options),
    audit: () => auditLedger(options),
  };
}
