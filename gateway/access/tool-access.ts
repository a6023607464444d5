import { AppError } from '../errors/app-error.ts';
import { assertNotFrozen, type CallFreeze } from '../freeze/call-freeze.ts';
import type { Operation } from '../operations/operation/operation.ts';
import { type AccessRequest, assertValid, isEmptyBody } from './call/access-request.ts';
import type { ChannelCorrection } from './offer/channel-terms.ts';
import type { FindOffer } from './offer/offers-by-origin.ts';
import { NOT_SETTLED, type PaymentOutcome } from './payment/payment-outcome.ts';
import { readPaymentPayload } from './payment/presented-payment.ts';
import type { Payment } from './payment-schemes.ts';

/** A call of an operation as a tool. */
export interface PaidToolCall {
  readonly operation: Operation;
  readonly args: Readonly<Record<string, unknown>>;
  /** The payment as it was sent; undefined or null if none was. */
  readonly payment: unknown;
  /** The Host header. */
  readonly host: string | undefined;
  readonly requestId: string;
  /** As in `AccessRequest`. */
  readonly client: string;
  /** As in `AccessRequest`. */
  readonly clientNetwork: string | undefined;
}

export type PaidToolOutcome =
  | Extract<PaymentOutcome, { kind: 'settled' }>
  /** `required` is an x402 `PaymentRequired`. A payment response is that of a settlement that failed, or of a deposit. */
  | { readonly kind: 'unpaid'; readonly required: object; readonly paymentResponseJson?: string };

export interface ToolAccess {
  /** Executes a paid call. For any other call, returns how to pay. @throws {AppError} */
  handle(call: PaidToolCall): Promise<PaidToolOutcome>;
}

const UNPAID = 'payment required';

/** The payments of tools. They differ from those of HTTP only in how they are sent and answered. */
export function createToolAccess({
  findOffer,
  payment,
  freeze,
}: {
  readonly findOffer: FindOffer;
  readonly payment: Payment;
  readonly freeze: CallFreeze;
}): ToolAccess {
  return {
    async handle({ operation, args, payment: sent, host, requestId, client, clientNetwork }) {
      const found = findOffer(operation, host);
      const request = {
        operation,
        ...found,
        uri: found.offer.uri,
        body: args,
        requestId,
        client,
        clientNetwork,
      };
      const unpaid = (reason: string, correction?: ChannelCorrection) =>
        ({ kind: 'unpaid', required: found.offer.tool(reason, correction) }) as const;
      if (sent === undefined || sent === null) {
        // Clients that compare prices call without arguments.
        if (!isEmptyBody(args)) {
          assertValid(request);
          assertNotFrozen(freeze);
        }
        return unpaid(UNPAID);
      }
      const outcome = await run(payment, request, sent);
      if (outcome.kind === 'settled') return outcome;
      const { paymentResponseJson } = outcome;
      const required = outcome.kind === 'refused' ? unpaid(outcome.reason, outcome.correction) : unpaid(NOT_SETTLED);
      return { ...required, ...(paymentResponseJson !== undefined && { paymentResponseJson }) };
    },
  };
}

/** A malformed payment is refused the same way as a failed one: the reply says what to sign. */
async function run(payment: Payment, request: AccessRequest, sent: unknown): Promise<PaymentOutcome> {
  try {
    return await payment.run(request, () => readPaymentPayload(sent));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'MALFORMED_PAYMENT') throw error;
    return { kind: 'refused', reason: error.message };
  }
}
