import type { Hex } from 'viem';
import type { SettledUse } from '../chain/authorization-use.ts';
import { isBytes32 } from '../payment/hex.ts';
import type { Payment } from '../payment/payment.ts';
import type { BeforeSending } from '../signer/transaction-sender.ts';

/** The facilitator does not answer, or its answer is malformed: nothing is known about the payment. */
export class FacilitatorError extends Error {
  override readonly name = 'FacilitatorError';
}

/** `reason` is an x402 error code, safe to show. */
export type Verification = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What the facilitator reports. Where a chain is known, the chain decides. */
export type SettlementReport =
  | {
      readonly kind: 'settled';
      readonly transaction: Hex;
      /** Where our own node has shown the logs. */
      readonly proof?: SettledUse;
    }
  /** It reports that it did not and will not settle. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly transaction?: Hex;
      /** Set where our own node has shown that the payer caused it. */
      readonly isPayersFault?: boolean;
    }
  /** No request was sent, or it was refused before any work. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unknown'; readonly transaction?: Hex };

/** `transaction`: the last one that was noted for it. */
export interface EndedPayment {
  readonly payer: Hex;
  readonly nonce: Hex;
  readonly transaction?: Hex | undefined;
}

export interface Facilitator {
  /** @throws {FacilitatorError} */
  verify(payment: Payment): Promise<Verification>;
  /**
   * Never throws. A transaction that is signed here is sent only after `beforeSending` has stored it. A remote
   * facilitator signs elsewhere and does not call it.
   */
  settle(payment: Payment, beforeSending: BeforeSending): Promise<SettlementReport>;
  /**
   * Is told what the chain proves of a payment that no report of `settle` did: that it is settled, or in a final block that
   * it never can be. Never throws.
   */
  noteEnded?(payment: EndedPayment, state: 'settled' | 'failed'): Promise<void>;
}

const REASON = /^[a-z0-9_]{1,80}$/;

/** A facilitator's text is passed to the client only if it is a code. */
export function safeReason(reason: string | undefined, fallback: string): string {
  return reason !== undefined && REASON.test(reason) ? reason : fallback;
}

/** Reads a transaction hash. @returns undefined for any other text that a broken facilitator may send */
export function readHash(text: string | undefined): Hex | undefined {
  const hash = text?.toLowerCase();
  return hash !== undefined && isBytes32(hash) && !/^0x0+$/.test(hash) ? hash : undefined;
}
