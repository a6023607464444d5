import { assertKnowsPayments, type CallFreeze } from '../freeze/call-freeze.ts';
import { type AccessRequest, assertValid } from './call/access-request.ts';
import type { ChannelPayment } from './channel/channel.ts';
import { isChannelPayment } from './channel/channel-payload.ts';
import { reasonOf } from './channel/channel-reason.ts';
import type { ExactPayment } from './payment/exact-payment.ts';
import { type PaymentOutcome, UNSUPPORTED_VERSION } from './payment/payment-outcome.ts';
import type { PresentedPayment } from './payment/presented-payment.ts';

/** Payments of every scheme. */
export interface Payment {
  /**
   * Handles a request with a payment. The payment is read only if the body is valid.
   * @throws {AppError}
   */
  run(request: AccessRequest, readPayment: () => PresentedPayment): Promise<PaymentOutcome>;
}

export interface PaymentSchemes {
  readonly exact: ExactPayment;
  /** Undefined if there are no channels. */
  readonly channel: ChannelPayment | undefined;
  readonly freeze: CallFreeze;
}

export function createPayment({ exact, channel, freeze }: PaymentSchemes): Payment {
  return {
    async run(request, readPayment) {
      assertValid(request);
      assertKnowsPayments(freeze);
      const presented = readPayment();
      if (presented.version !== 2) return UNSUPPORTED_VERSION;
      if (!isChannelPayment(presented.payload)) return exact.run(request, presented);
      return channel === undefined ? { kind: 'refused', reason: reasonOf('scheme') } : channel.run(request, presented);
    },
  };
}
