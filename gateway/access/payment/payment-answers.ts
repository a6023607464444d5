import {
  type BeginResponse_Refuse,
  RefusalCode,
  SettlementOutcome,
  type SettleResponse,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { IDENTIFIER_REASONS } from '../../../services/payments/contract/identifier-reasons.ts';
import { AppError } from '../../errors/app-error.ts';
import type { PaymentOutcome } from './payment-outcome.ts';

export const AGAIN = 'send the same request with the same payment again';
/** The payment may be settled: a client that lost its answer must not be told to pay again for the same request. */
const USED =
  'this payment was used before and may be settled; it pays only for the request that it was first sent with';
export const USED_IDENTIFIER =
  'this payment-identifier was used before; it is of the request that it was first sent with';
export const PENDING_IDENTIFIER =
  'a payment with this payment-identifier was executed, and its settlement is not known yet; send that payment again';
/** The payment response of a settlement whose facilitator gave none. */
const NO_RESPONSE = '{}';

/** The outcome of a settlement, with the result of the operation. @throws {AppError} if the payment is not settled yet */
export function toOutcome(
  { outcome, paymentResponseJson = NO_RESPONSE }: SettleResponse,
  body: Buffer,
): PaymentOutcome {
  switch (outcome) {
    case SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED:
      return { kind: 'settled', body, paymentResponseJson };
    case SettlementOutcome.SETTLEMENT_OUTCOME_FAILED:
      return { kind: 'failed', paymentResponseJson };
    case SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT:
      throw new AppError('UPSTREAM_FAILURE', `the payment was not settled; ${AGAIN}`);
    default:
      throw settlementPending();
  }
}

/** The outcome for a payment that the payments service refused to claim. @throws {AppError} */
export function refuse({ code, reason, paymentResponseJson = NO_RESPONSE }: BeginResponse_Refuse): PaymentOutcome {
  switch (code) {
    case RefusalCode.REFUSAL_CODE_MALFORMED:
      throw new AppError('MALFORMED_PAYMENT', reason);
    case RefusalCode.REFUSAL_CODE_NOT_ACCEPTED:
      return { kind: 'refused', reason };
    case RefusalCode.REFUSAL_CODE_REUSED:
      throw new AppError('PAYMENT_REUSED', reason === IDENTIFIER_REASONS.reused ? USED_IDENTIFIER : USED);
    case RefusalCode.REFUSAL_CODE_CLOSED:
      return { kind: 'failed', paymentResponseJson };
    case RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING:
      throw reason === IDENTIFIER_REASONS.pending ? settlementPending(PENDING_IDENTIFIER) : settlementPending();
    case RefusalCode.REFUSAL_CODE_IN_PROGRESS: {
      const what = reason === IDENTIFIER_REASONS.inProgress ? 'payment-identifier' : 'payment';
      throw new AppError('SERVICE_UNAVAILABLE', `a request with this ${what} is in progress; ${AGAIN}`, retryAfter(2));
    }
    case RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE:
      throw new AppError('UPSTREAM_FAILURE', `the payment could not be verified now; ${AGAIN}`);
    case RefusalCode.REFUSAL_CODE_THROTTLED:
      throw new AppError(
        'RATE_LIMITED',
        `too many open or failed executions of this payer; wait a minute, then ${AGAIN}`,
        retryAfter(60),
      );
    default:
      throw internalError();
  }
}

export function internalError(): AppError {
  return new AppError('INTERNAL', `something went wrong on our side; ${AGAIN}`);
}

export function settlementPending(text = `the settlement is not known yet; ${AGAIN}`, cause?: unknown): AppError {
  return new AppError('SETTLEMENT_PENDING', text, { ...retryAfter(5), cause });
}

const retryAfter = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } });
