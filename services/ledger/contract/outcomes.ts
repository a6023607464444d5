import type { ChannelAccount } from './channels.ts';
import type { ReserveDenial } from './ledger.ts';

/**
 * How a reserve ended. `posted`, `voided`: the id was reserved before, and is resolved. `conflict`: the id belongs to
 * another reservation. `lock_lost` changed nothing, and reads no balance.
 */
export type TrialOutcome =
  | {
      readonly state: 'reserved' | 'posted' | 'conflict' | Exclude<ReserveDenial, 'lock_lost'>;
      readonly balanceMicroUsd: bigint;
    }
  | { readonly state: 'lock_lost' };

/**
 * Why nothing was reserved. All of them changed nothing.
 * - `channel_not_found`: the channel has no credit that is final.
 * - `channel_busy`: a call or refund of this channel, or a call with this identifier, is in progress.
 * - `cumulative_mismatch`: the voucher is not for what was charged and the price.
 * - `cumulative_below_claimed`: the voucher is for no more than what is claimed on the chain or about to be, so anyone may
 *   have it. Nothing of the account may be shown.
 * - `exceeds_balance`: the channel does not have the amount.
 * - `unsettled`: charges may be missing since the database was replaced, and the voucher does not show them.
 * - `posted`: the id was reserved before, and is posted.
 * - `conflict`: the id belongs to another reservation.
 */
export type Denial =
  | 'channel_not_found'
  | 'channel_busy'
  | 'cumulative_mismatch'
  | 'cumulative_below_claimed'
  | 'exceeds_balance'
  | 'deadline_passed'
  | 'unsettled'
  | 'posted'
  | 'conflict';

/**
 * Why the identifier of a call is not free.
 * - `identifier_reused`: the signer used it for another request.
 * - `identifier_pending`: a payment of this request has it, and whether that is settled is not known.
 */
export type IdentifierDenial = 'identifier_reused' | 'identifier_pending';

export const isIdentifierDenial = (state: string): state is IdentifierDenial =>
  state === 'identifier_reused' || state === 'identifier_pending';

export type ChannelChargeOutcome =
  | { readonly state: 'reserved' | Denial; readonly account: ChannelAccount }
  | { readonly state: 'identifier_reused'; readonly account: ChannelAccount }
  | { readonly state: 'identifier_pending'; readonly account: ChannelAccount }
  /** The same voucher was charged for the same request of the same holder, or its identifier for this request, under this id. */
  | { readonly state: 'repeated'; readonly account: ChannelAccount; readonly reservationId: string };

export type RefundHoldOutcome =
  | { readonly state: 'reserved'; readonly account: ChannelAccount; readonly amountMicroUsd: bigint }
  | { readonly state: Denial; readonly account: ChannelAccount };

/** `unknown`: the id was voided, or never reserved. The balance is undefined for channels and unknown ids. */
export interface Posting {
  readonly state: 'posted' | 'unknown';
  readonly balanceMicroUsd: bigint | undefined;
}

/** `superseded`: the claim was released or taken over, and nothing was stored. */
export type Keeping = 'kept' | 'superseded';

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
