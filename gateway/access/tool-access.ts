import { AppError } from '../errors/app-error.ts';
import type { Operation } from '../operations/operation/operation.ts';
import { type AccessRequest, assertValid, isEmptyBody } from './call/access-request.ts';
import type { FindPlace } from './offer/offers-by-origin.ts';
import type { Payment } from './payment/payment.ts';
import type { PaymentOutcome } from './payment/payment-outcome.ts';
import { readPaymentPayload } from './payment/presented-payment.ts';

/** A call of an operation as a tool. */
export interface PaidToolCall {
  readonly operation: Operation;
  readonly args: Readonly<Record<string, unknown>>;
  /** What came as the payment; undefined: none did. */
  readonly payment: unknown;
  /** The Host header. */
  readonly host: string | undefined;
  readonly requestId: string;
}

export type PaidToolOutcome =
  | Extract<PaymentOutcome, { kind: 'settled' }>
  /** `required` is an x402 `PaymentRequired`; with a payment response, where settlement failed. */
  | { readonly kind: 'unpaid'; readonly required: object; readonly paymentResponseJson?: string };

export interface ToolAccess {
  /** Executes a call that is paid for, and says how to pay for any other. @throws {AppError} */
  handle(call: PaidToolCall): Promise<PaidToolOutcome>;
}

const UNPAID = 'payment required';
/** Until its validBefore an authorization may still be settled, whatever a facilitator says of it. */
const NOT_SETTLED =
  'the payment was not settled; send it with the same call once more after its validBefore, and sign a new one only if it is refused again';

/** The same payments as over HTTP: what differs is how they are sent, and how the outcome is said. */
export function createToolAccess({
  findPlace,
  payment,
}: {
  readonly findPlace: FindPlace;
  readonly payment: Payment;
}): ToolAccess {
  return {
    async handle({ operation, args, payment: sent, host, requestId }) {
      const place = findPlace(operation, host);
      const request = { operation, ...place, body: args, requestId, grantScope: undefined };
      const unpaid = (reason: string) => ({ kind: 'unpaid', required: place.offer.tool(reason) }) as const;
      if (sent === undefined) {
        // Clients that compare prices ask without arguments.
        if (!isEmptyBody(args)) assertValid(request);
        return unpaid(UNPAID);
      }
      const outcome = await run(payment, request, sent);
      if (outcome.kind === 'refused') return unpaid(outcome.reason);
      return outcome.kind === 'settled' ? outcome : { ...outcome, ...unpaid(NOT_SETTLED) };
    },
  };
}

/** What is no payment is refused like one that does not pay: what to sign instead stands in the answer. */
async function run(payment: Payment, request: AccessRequest, sent: unknown): Promise<PaymentOutcome> {
  try {
    return await payment.run(request, () => readPaymentPayload(sent));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'MALFORMED_PAYMENT') throw error;
    return { kind: 'refused', reason: error.message };
  }
}
