import type { AccessReply } from '../call/access-request.ts';
import type { Offer } from '../offer/offer.ts';

/** The outcome of a payment over HTTP or as a tool. Payment responses are JSON texts of an x402 `SettleResponse`. */
export type PaymentOutcome =
  | { readonly kind: 'settled'; readonly body: Buffer; readonly paymentResponseJson: string }
  /** The payment was not accepted, and nothing was executed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The payment will never settle. The result is not delivered. */
  | { readonly kind: 'failed'; readonly paymentResponseJson: string };

/** The outcome as an HTTP answer of x402 version 2. */
export function toPaymentReply(outcome: PaymentOutcome, offer: Offer): AccessReply {
  switch (outcome.kind) {
    case 'settled':
      return { status: 200, headers: responseHeader(outcome.paymentResponseJson), body: outcome.body };
    case 'failed':
      return { status: 402, headers: responseHeader(outcome.paymentResponseJson), body: '{}' };
    case 'refused': {
      const { header, body } = offer.payment(outcome.reason);
      return { status: 402, headers: { 'payment-required': header }, body };
    }
  }
}

function responseHeader(paymentResponseJson: string): Readonly<Record<string, string>> {
  return { 'payment-response': Buffer.from(paymentResponseJson).toString('base64') };
}
