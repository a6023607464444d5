import type { AccessReply } from '../call/access-request.ts';
import type { ChannelCorrection } from '../offer/channel-terms.ts';
import type { Offer } from '../offer/offer.ts';

/** The outcome of a payment over HTTP or as a tool. Payment responses are JSON texts of an x402 `SettleResponse`. */
export type PaymentOutcome =
  /** `isRepeated`: it was paid for before. */
  | {
      readonly kind: 'settled';
      readonly body: Buffer;
      readonly paymentResponseJson: string;
      readonly isRepeated?: boolean;
    }
  /** The payment was not accepted, and nothing was executed. A payment response is that of a deposit before it. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly correction?: ChannelCorrection;
      readonly paymentResponseJson?: string;
    }
  /** The payment will never settle. The result is not delivered. */
  | { readonly kind: 'failed'; readonly paymentResponseJson: string };

/** A reason is an error code of x402; programs read it up to a colon, after which a sentence says what would pass. */
export const UNSUPPORTED_VERSION = {
  kind: 'refused',
  reason: 'unsupported_x402_version: x402Version must be the number 2',
} as const satisfies PaymentOutcome;

/** Until its validBefore an authorization may still be settled, whatever a facilitator says about it. */
export const NOT_SETTLED =
  'the payment was not settled; send it with the same call once more after its validBefore, and sign a new one only if it is refused again';

/** The outcome as an HTTP answer of x402 version 2. */
export function toPaymentReply(outcome: PaymentOutcome, offer: Pick<Offer, 'payment'>): AccessReply {
  switch (outcome.kind) {
    case 'settled':
      return {
        status: 200,
        headers: responseHeader(outcome.paymentResponseJson),
        body: outcome.body,
        isPaid: !outcome.isRepeated,
      };
    case 'failed': {
      const { header, body } = offer.payment(NOT_SETTLED);
      const headers = { 'payment-required': header, ...responseHeader(outcome.paymentResponseJson) };
      return { status: 402, headers, body };
    }
    case 'refused': {
      const { reason, correction, paymentResponseJson } = outcome;
      const { header, body } = offer.payment(reason, correction);
      const response = paymentResponseJson === undefined ? {} : responseHeader(paymentResponseJson);
      return { status: 402, headers: { 'payment-required': header, ...response }, body };
    }
  }
}

/** The value of the header `PAYMENT-RESPONSE`. */
export const encodeResponse = (paymentResponseJson: string): string =>
  Buffer.from(paymentResponseJson).toString('base64');

const responseHeader = (paymentResponseJson: string) => ({ 'payment-response': encodeResponse(paymentResponseJson) });
