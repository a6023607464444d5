import type { RetainedClaim } from '../../../../services/backoffice/retention/retained-claims.ts';
import type { RecordedResult } from '../../../../services/payments/claims/claim-records.ts';

/** A row of `payment_claim`. */
export interface PaymentClaimRow extends RetainedClaim {
  readonly claimId: string;
  transaction: string | undefined;
  outcome: RecordedResult | undefined;
  block: { readonly number: bigint; readonly hash: `0x${string}` } | undefined;
  isMissing: boolean;
  isFinalized: boolean;
  lostReason: string | undefined;
}
