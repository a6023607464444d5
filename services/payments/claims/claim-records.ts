import type { Hex } from 'viem';
import type { ClaimDetails, PaymentKey, Result } from './claims.ts';

/** How a settlement ended. */
export type Outcome =
  | Extract<Result, { state: 'settled' }>
  | Omit<Extract<Result, { state: 'failed' }>, 'isPayersFault'>;

/** A claim whose result is retained, as PostgreSQL keeps it with the bodies. */
export interface ClaimRecord extends ClaimDetails {
  readonly transaction: Hex | undefined;
  /** undefined: not known there yet. */
  readonly outcome: Outcome | undefined;
}

export interface RecordedOutcome {
  readonly claimId: string;
  readonly transaction: Hex | undefined;
  readonly outcome: Outcome;
}

/** What claims in Redis can be rebuilt from. Methods throw ServiceError PAYMENT_UNAVAILABLE when the store does not answer. */
export interface ClaimRecords {
  find(key: PaymentKey): Promise<ClaimRecord | undefined>;
  findById(claimId: string): Promise<ClaimRecord | undefined>;
  noteTransaction(claimId: string, transaction: Hex): Promise<void>;
  /** Records how a settlement ended. Where that is final, nothing is left to do for the back office. */
  close(recorded: RecordedOutcome): Promise<void>;
}
