import type { ChannelAccount, ChannelDenial } from './channels.ts';
import type { ReserveDenial } from './ledger.ts';

/**
 * How a reserve ended. `posted`, `voided`: the id was reserved before, and is resolved. `lock_lost` changed nothing, and
 * reads no balance.
 */
export type TrialOutcome =
  | {
      readonly state: 'reserved' | 'posted' | Exclude<ReserveDenial, 'lock_lost'>;
      readonly balanceMicroUsd: bigint;
    }
  | { readonly state: 'lock_lost' };

/**
 * - `posted`: the id was reserved before, and is posted.
 * - `conflict`: the id belongs to another reservation.
 * - `unsettled`: what was charged is not known since the database was replaced, and this voucher does not tell it.
 */
type Denial = ChannelDenial | 'posted' | 'conflict' | 'unsettled';

export type ChannelChargeOutcome =
  | { readonly state: 'reserved' | Denial; readonly account: ChannelAccount }
  /** The same voucher was charged for the same request of the same holder, under this id. */
  | { readonly state: 'repeated'; readonly account: ChannelAccount; readonly reservationId: string };

export type RefundHoldOutcome =
  | { readonly state: 'reserved'; readonly account: ChannelAccount; readonly amountMicroUsd: bigint }
  | { readonly state: Denial; readonly account: ChannelAccount };

/** `unknown`: the id was voided, or never reserved. The balance is undefined for channels and unknown ids. */
export interface Posting {
  readonly state: 'posted' | 'unknown';
  readonly balanceMicroUsd: bigint | undefined;
}

/** `unknown`: the id was voided before, or never reserved. The balance is undefined for channels and unknown ids. */
export interface Voiding {
  readonly state: 'voided' | 'posted' | 'unknown';
  readonly balanceMicroUsd: bigint | undefined;
}

/** What is left of today's budget. */
export interface TrialBudget {
  /** YYYY-MM-DD. */
  readonly dayUtc: string;
  readonly remainingMicroUsd: bigint;
}
