import type { Hex } from 'viem';

/** A call of the token: USDC with EIP-3009. Addresses and nonces are in lower case. */
export type TokenCall =
  | {
      readonly kind: 'transferWithAuthorization';
      readonly from: Hex;
      readonly to: Hex;
      readonly value: bigint;
      readonly validAfter: bigint;
      readonly validBefore: bigint;
      readonly nonce: Hex;
    }
  | { readonly kind: 'transfer'; readonly from: Hex; readonly to: Hex; readonly value: bigint }
  | { readonly kind: 'cancel'; readonly from: Hex; readonly nonce: Hex };

/** What a successful call did. */
export type Effect = TokenCall;

/** A transaction in the pool or in a block. */
export interface PooledTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex;
  readonly nonce: number;
  readonly input: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** What it calls, in this order. */
  readonly calls: readonly TokenCall[];
  /** Whether a call that reverts leaves the others alone. */
  readonly isBatch: boolean;
  /** Not included before this time. */
  readonly notBeforeMs: number;
}

export interface MinedTransaction extends PooledTransaction {
  /** Of the calls that did not revert. */
  readonly effects: readonly Effect[];
}

export interface MinedBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly atMs: number;
  readonly baseFee: bigint;
  readonly transactions: readonly MinedTransaction[];
}
