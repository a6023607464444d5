import type { Hex } from 'viem';
import type { Payment } from '../payment/payment.ts';

/** The facilitator cannot be reached or answers nonsense: nothing is known of the payment. */
export class FacilitatorError extends Error {
  override readonly name = 'FacilitatorError';
}

/** `reason` is an x402 error code, safe to show. */
export type Verification = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What the facilitator claims. Where a chain is known, the chain decides. */
export type SettlementClaim =
  | { readonly kind: 'settled'; readonly transaction: Hex }
  /** It says that it did not and will not settle. */
  | { readonly kind: 'refused'; readonly reason: string; readonly transaction?: Hex }
  /** Nothing left this process, or it was turned away at the door. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unknown'; readonly transaction?: Hex };

export interface Facilitator {
  /** @throws {FacilitatorError} */
  verify(payment: Payment): Promise<Verification>;
  /**
   * Never throws. `beforeSending` is awaited with the hash of a transaction that is signed here, and when it throws
   * nothing is sent. A remote facilitator signs elsewhere and does not call it.
   */
  settle(payment: Payment, beforeSending: (transaction: Hex) => Promise<void>): Promise<SettlementClaim>;
  /**
   * Replaces a transaction that was signed here and cannot be mined, because fees have risen. Never throws.
   * @returns whether a replacement is on its way
   */
  hasten?(transaction: Hex, beforeSending: (transaction: Hex) => Promise<void>): Promise<boolean>;
}

const REASON = /^[a-z0-9_]{1,80}$/;

/** A facilitator's text goes to the client only when it is a code. */
export function safeReason(reason: string | undefined, fallback: string): string {
  return reason !== undefined && REASON.test(reason) ? reason : fallback;
}

/** The hash when it is one; undefined for what a broken facilitator may put there. */
export function readHash(text: string | undefined): Hex | undefined {
  return text !== undefined && /^0x[0-9a-fA-F]{64}$/.test(text) && !/^0x0+$/.test(text)
    ? (text.toLowerCase() as Hex)
    : undefined;
}
