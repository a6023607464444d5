import { AppError } from '../errors/app-error.ts';
import type { AccessReply } from './call/access-request.ts';
import { singleValue } from './call/single-value.ts';
import type { Refund, RefundRequest } from './channel/refund.ts';
import type { FindRefundOffer } from './offer/refund-offer.ts';
import { toPaymentReply } from './payment/payment-outcome.ts';
import { readPaymentHeader } from './payment/presented-payment.ts';

/** An HTTP request for the refund of a channel. */
export interface RefundCall extends RefundRequest {
  /** The Host header. */
  readonly host: string | undefined;
  /** Every value of the header; empty if it is absent. */
  readonly paymentSignature: readonly string[];
}

export interface RefundAccess {
  /** Without a payment, answers with the offer, from which a client takes the channel. @throws {AppError} */
  handle(call: RefundCall): Promise<AccessReply>;
}

export interface RefundAccessDeps {
  readonly findOffer: FindRefundOffer;
  readonly refund: Refund;
}

const NO_PAYLOAD = 'send a payment of the type refund';

/** @param deps undefined if there are no channels */
export function createRefundAccess(deps: RefundAccessDeps | undefined): RefundAccess {
  return {
    async handle({ host, paymentSignature, ...from }) {
      if (deps === undefined) throw new AppError('NOT_FOUND', 'payment channels are not offered here');
      const header = singleValue(paymentSignature, 'MALFORMED_PAYMENT', 'PAYMENT-SIGNATURE');
      const outcome =
        header === undefined
          ? ({ kind: 'refused', reason: NO_PAYLOAD } as const)
          : await deps.refund.run(readPaymentHeader(header), from);
      return toPaymentReply(outcome, deps.findOffer(host));
    },
  };
}
