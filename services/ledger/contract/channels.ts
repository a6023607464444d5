import type { StorePosition } from '../../platform/redis/redis-guard.ts';

/**
 * A payment channel of the x402 scheme `batch-settlement`, as an account of the ledger. Its credit is what the contract
 * holds and the payer cannot withdraw. At every moment funded = balance + reserved + charged.
 */
export interface ChannelAccount {
  readonly fundedMicroUsd: bigint;
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  /** All charges since the channel was opened. The next voucher must be for this and the price of the call. */
  readonly chargedMicroUsd: bigint;
  /** The voucher of the latest charge; undefined before the first. */
  readonly voucher: { readonly cumulativeMicroUsd: bigint; readonly signature: string } | undefined;
}

/** The request of `charge`. The voucher's signature has been verified. */
export interface ChannelCharge {
  /** UUIDv7. The same id gets the first outcome again. */
  readonly reservationId: string;
  /** 32 bytes, hexadecimal in lower case with 0x. */
  readonly channelId: string;
  /** `maxClaimableAmount` of the voucher: what was charged before, and the amount. */
  readonly cumulativeMicroUsd: bigint;
  /** 65 bytes, hexadecimal in lower case with 0x. */
  readonly signature: string;
  readonly amountMicroUsd: bigint;
  readonly operation: string;
  /** When the caller stops waiting, by the clock of Redis. */
  readonly deadlineMs: number;
  /** SHA-256, in hex, of the request that the voucher pays. */
  readonly fingerprint: string;
  /** SHA-256, in hex, of what only the payer knows, such as the secret of the accepted offer. Absent: nothing. */
  readonly holder?: string;
}

/** The request of `holdRefund`: sets credit aside that will be returned on the chain. */
export interface RefundHold {
  readonly reservationId: string;
  readonly channelId: string;
  /** `maxClaimableAmount` of the payer's voucher: what was charged. */
  readonly cumulativeMicroUsd: bigint;
  readonly signature: string;
  /** Absent: the whole balance. */
  readonly amountMicroUsd?: bigint;
  readonly deadlineMs: number;
}

/** The largest amount of a charge, voucher or deposit: Redis counts in doubles, and sums up to here are exact. */
export const MAX_MICRO_USD = 2n ** 53n - 1n;

/** Operation of the reservation of a refund. */
export const REFUND_OPERATION = 'channel-refund';

/**
 * Why nothing was reserved. All of them changed nothing.
 * - `channel_not_found`: the channel has no credit that is final.
 * - `channel_busy`: a call or refund of this channel is in progress.
 * - `cumulative_mismatch`: the voucher is not for what was charged and the price.
 * - `exceeds_balance`: the channel does not have the amount.
 */
export type ChannelDenial =
  | 'channel_not_found'
  | 'channel_busy'
  | 'cumulative_mismatch'
  | 'exceeds_balance'
  | 'deadline_passed'
  | 'voided';

export type ChargeOutcome =
  | { readonly state: 'reserved'; readonly account: ChannelAccount; readonly position: StorePosition }
  /** The same voucher was charged for the same request of the same holder, under this id. */
  | { readonly state: 'repeated'; readonly account: ChannelAccount; readonly reservationId: string }
  | { readonly state: ChannelDenial; readonly account: ChannelAccount };

export type HoldOutcome =
  | {
      readonly state: 'reserved';
      readonly account: ChannelAccount;
      readonly amountMicroUsd: bigint;
      readonly position: StorePosition;
    }
  | { readonly state: ChannelDenial; readonly account: ChannelAccount };

/** The request of `fund`: what the contract holds at a final block, without what a started withdrawal would take. */
export interface ChannelFunds {
  readonly channelId: string;
  readonly usableMicroUsd: bigint;
  readonly block: bigint;
  /** A reservation of a refund that is voided in the same step. */
  readonly refundId?: string;
}

export interface ChannelLedger {
  /** Reserves the price of a call. Then `post` or `void`, as for a trial. */
  charge(charge: ChannelCharge): Promise<ChargeOutcome>;
  holdRefund(hold: RefundHold): Promise<HoldOutcome>;
  /** Sets the credit of a channel. An earlier block than the last one changes nothing. */
  fund(funds: ChannelFunds): Promise<ChannelAccount>;
  /** A channel that is not known has nothing. */
  channels(channelIds: readonly string[]): Promise<readonly ChannelAccount[]>;
}
