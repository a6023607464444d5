import type { GetChannelTermsResponse } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';

/** The terms of payment channels. Those that are not offered any more keep their credit, answers and refunds. */
export type ChannelTerms = GetChannelTermsResponse;

/** What the server knows of a channel, as members of a payment response and of an offer. */
export interface ChannelState {
  readonly channelId: string;
  /** All charges of the channel. The next voucher is for this and the price. */
  readonly chargedCumulativeAmount: string;
  /** What the contract says. Absent if it is not known now. */
  readonly balance?: string;
  readonly totalClaimed?: string;
  /** Unix seconds; 0 without a withdrawal. */
  readonly withdrawRequestedAt?: number;
  readonly refundNonce?: string;
}

/** From what a client recovers that signed a voucher for another sum than the expected one. */
export interface ChannelCorrection {
  readonly channelState: ChannelState;
  /** The latest voucher of the payer; absent before the first. */
  readonly voucherState?: { readonly signedMaxClaimable: string; readonly signature: string };
}
