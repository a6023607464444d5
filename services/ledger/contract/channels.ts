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
  /** The voucher of the latest charge; undefined before the first, and from the service if it cannot be decrypted. */
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
  /** When the caller stops waiting, by the clock of the database. */
  readonly deadlineMs: number;
  /** Keyed hash, in hex, of the request that the voucher pays. */
  readonly fingerprint: string;
  /** SHA-256, in hex, of what only the payer knows, such as the secret of the accepted offer. Absent: nothing. */
  readonly holder?: string;
  readonly identifier?: CallIdentifier;
  /** The contract shows no such channel. Then nobody but the payer has its vouchers, and its identifiers count already. */
  readonly isNew?: boolean;
}

/** The identifier that a payer chose for a call. A signing key and an identifier are one call, however it is paid. */
export interface CallIdentifier {
  /** The address that signs, in lower case. */
  readonly signer: string;
  /** Keyed hash of the identifier, in hex. */
  readonly hash: string;
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

/** The largest amount of a charge, voucher or deposit: readers of JSON count in doubles, and sums up to here are exact. */
export const MAX_MICRO_USD = 2n ** 53n - 1n;

/** Operation of the reservation of a refund. */
export const REFUND_OPERATION = 'channel-refund';
