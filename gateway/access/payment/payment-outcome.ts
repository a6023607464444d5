import type { AccessReply } from '../call/access-request.ts';
import type { Offer } from '../offer/offer.ts';

/** What became of a payment, however it was presented. Payment responses are JSON texts of an x402 `SettleResponse`. */
export type PaymentOutcome =
  | { readonly kind: 'settled'; readonly body: Buffer; readonly paymentResponseJson: string }
  /** Not accepted: nothing was executed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It will never settle: the result stays here. */
  | { readonly kind: 'failed'; readonly paymentResponseJson: string };

/** The outcome in HTTP, as x402 version 2 has it. */
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
