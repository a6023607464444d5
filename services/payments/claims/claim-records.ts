import type { Hex } from 'viem';
import type { ClaimDetails, PaymentKey, Result } from './claims.ts';

/** How a settlement ended, as it is recorded. */
export type RecordedResult =
  | Extract<Result, { state: 'settled' }>
  | Omit<Extract<Result, { state: 'failed' }>, 'isPayersFault'>;

/** A claim whose result is retained, as PostgreSQL stores it with the bodies. */
export interface ClaimRecord extends ClaimDetails {
  readonly transaction: Hex | undefined;
  /** undefined: not recorded yet. */
  readonly outcome: RecordedResult | undefined;
}

export interface RecordedOutcome {
  readonly claimId: string;
  readonly transaction: Hex | undefined;
  readonly outcome: RecordedResult;
}

/** Claims in Redis can be rebuilt from these records. Methods throw ServiceError PAYMENT_UNAVAILABLE if they fail. */
export interface ClaimRecords {
  find(key: PaymentKey): Promise<ClaimRecord | undefined>;
  findById(claimId: string): Promise<ClaimRecord | undefined>;
  noteTransaction(claimId: string, transaction: Hex): Promise<void>;
  /** Records how a settlement ended. A final result also deletes the obligation of the back office. */
  close(recorded: RecordedOutcome): Promise<void>;
}
