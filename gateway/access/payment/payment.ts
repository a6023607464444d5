import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Access } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import {
  type BeginResponse_Execute,
  type BeginResponse_Refuse,
  RefusalCode,
  SettlementOutcome,
  type SettleResponse,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import type { PaymentsClient } from '../../../services/payments/contract/client.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { isUnreachable } from '../../clients/call-error.ts';
import { AppError, toAppError } from '../../errors/app-error.ts';
import { type AccessRequest, assertValid } from '../call/access-request.ts';
import { digestBody } from '../call/body-digest.ts';
import { ACCOUNTING_MS, type Execution } from '../call/execution.ts';
import { isCausedByCaller } from '../call/failure-cause.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import type { PaymentOutcome } from './payment-outcome.ts';
import type { PresentedPayment } from './presented-payment.ts';

export interface Payment {
  /**
   * A request that came with a payment, which is read once the body is known to be valid.
   * @throws {AppError}
   */
  run(request: AccessRequest, readPayment: () => PresentedPayment): Promise<PaymentOutcome>;
}

export interface PaymentDeps {
  readonly payments: PaymentsClient;
  readonly backoffice: BackofficeClient;
  readonly execution: Execution;
  readonly secrets: OfferSecrets;
  readonly now: () => number;
  readonly logger: Logger;
}

const SETTLE_TIMEOUT_MS = 30_000;
/** How long a service that cannot be reached is asked again: a restart. */
const SETTLE_AGAIN_MS = 5000;
const SETTLE_PAUSE_MS = 100;
const READ_TIMEOUT_MS = 5000;
const RELEASE_TIMEOUT_MS = 3000;

const AGAIN = 'send the same request with the same payment again';
/** It may be settled: a client that loses an answer must not be told to pay again for the same request. */
const USED =
  'this payment was used before and may be settled; it pays only for the request that it was first sent with';

/** Claim, execute, retain, settle, reply: the claim makes one payment one execution, whatever is sent twice. */
export function createPayment({ payments, backoffice, execution, secrets, now, logger }: PaymentDeps): Payment {
  async function begin(request: AccessRequest, payment: PresentedPayment) {
    const { operation, body, requestId } = request;
    const fingerprint = sha256(`POST ${operation.path} ${digestBody(body)}`);
    try {
      const { outcome } = await payments.begin(
        {
          paymentJson: payment.json,
          amount: String(operation.priceMicroUsd),
          requestFingerprint: fingerprint,
          offerSecretHash: secrets.hashOf(payment.offerSecret) ?? NO_SECRET,
          paymentIdentifierHash: payment.identifier === undefined ? undefined : sha256(payment.identifier),
          operationTimeoutMs: operation.timeoutMs,
        },
        { requestId, timeoutMs: operation.timeoutMs + ACCOUNTING_MS },
      );
      if (outcome !== undefined) return outcome;
    } catch (error) {
      throw new AppError('PAYMENT_UNAVAILABLE', `payments are not available now; ${AGAIN}`, {
        cause: error,
      });
    }
    throw new AppError('INTERNAL', `something went wrong on our side; ${AGAIN}`);
  }

  /** After a failure: the payment may be presented again. Unanswered, the claim's lease ends by itself. */
  async function release(claimId: string, requestId: string, error: AppError): Promise<never> {
    const causedByCaller = isCausedByCaller(error);
    await payments
      .release({ claimId, causedByCaller }, { requestId, timeoutMs: RELEASE_TIMEOUT_MS })
      .catch((cause: unknown) => {
        logger.warn({ err: cause, claimId, requestId }, 'the claim was not released');
      });
    throw error;
  }

  async function execute(request: AccessRequest, { claimId, record: claim }: BeginResponse_Execute): Promise<Buffer> {
    const { operation, requestId } = request;
    if (claim === undefined) throw new Error(`claim ${claimId} came without a record`);
    const responseBody = await execution
      .execute(request)
      .catch((error: unknown) => release(claimId, requestId, toAppError(error)));
    const deadlineMs = now() + operation.timeoutMs + ACCOUNTING_MS + SETTLE_TIMEOUT_MS;
    await execution
      .retain(request, responseBody, { access: Access.ACCESS_PAYMENT, recordId: claimId, deadlineMs, claim })
      .catch((cause: unknown) =>
        // It may be retained all the same. Then the same request resumes from there.
        release(
          claimId,
          requestId,
          new AppError('PAYMENT_UNAVAILABLE', `the result was not retained; ${AGAIN}`, { cause }),
        ),
      );
    return responseBody;
  }

  async function readRetained(claimId: string, requestId: string): Promise<Buffer> {
    try {
      return (await backoffice.getRetained(claimId, { requestId, timeoutMs: READ_TIMEOUT_MS })).responseBody;
    } catch (cause) {
      throw new AppError('PAYMENT_UNAVAILABLE', `the result of this payment cannot be read now; ${AGAIN}`, { cause });
    }
  }

  /** Repeated while the service is away: it settles a claim once, however often it is asked. */
  async function settle(request: AccessRequest, payment: PresentedPayment, claimId: string): Promise<SettleResponse> {
    const { requestId } = request;
    const startedMs = now();
    for (;;) {
      const timeoutMs = startedMs + SETTLE_TIMEOUT_MS - now();
      try {
        return await payments.settle({ claimId, paymentJson: payment.json }, { requestId, timeoutMs });
      } catch (error) {
        if (isUnreachable(error) && now() - startedMs < SETTLE_AGAIN_MS) {
          await delay(SETTLE_PAUSE_MS);
          continue;
        }
        // Whatever happened there, it may have been sent: only the same request again can tell.
        logger.error({ err: error instanceof CallError ? error : undefined, claimId }, 'settlement did not answer');
        return { outcome: SettlementOutcome.SETTLEMENT_OUTCOME_PENDING };
      }
    }
  }

  return {
    async run(request, readPayment) {
      assertValid(request);
      const payment = readPayment();
      if (payment.version !== 2) return { kind: 'refused', reason: 'unsupported_x402_version' };
      const outcome = await begin(request, payment);
      if (outcome.$case === 'refuse') return refuse(outcome.value);
      const { claimId } = outcome.value;
      if (outcome.$case === 'replay') {
        const { paymentResponseJson } = outcome.value;
        return { kind: 'settled', body: await readRetained(claimId, request.requestId), paymentResponseJson };
      }
      const body =
        outcome.$case === 'execute'
          ? await execute(request, outcome.value)
          : await readRetained(claimId, request.requestId);
      return toOutcome(await settle(request, payment, claimId), body);
    },
  };
}

const NO_SECRET = Buffer.alloc(0);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function toOutcome({ outcome, paymentResponseJson = '{}' }: SettleResponse, body: Buffer): PaymentOutcome {
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

function refuse({ code, reason, paymentResponseJson = '{}' }: BeginResponse_Refuse): PaymentOutcome {
  switch (code) {
    case RefusalCode.REFUSAL_CODE_MALFORMED:
      throw new AppError('MALFORMED_PAYMENT', reason);
    case RefusalCode.REFUSAL_CODE_NOT_ACCEPTED:
      return { kind: 'refused', reason };
    case RefusalCode.REFUSAL_CODE_REUSED:
      throw new AppError('PAYMENT_REUSED', USED);
    case RefusalCode.REFUSAL_CODE_CLOSED:
      return { kind: 'failed', paymentResponseJson };
    case RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING:
      throw settlementPending();
    case RefusalCode.REFUSAL_CODE_IN_PROGRESS:
      throw new AppError('SERVICE_UNAVAILABLE', `this payment is being worked on; ${AGAIN}`, {
        headers: { 'retry-after': '2' },
      });
    case RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE:
      throw new AppError('UPSTREAM_FAILURE', `the payment could not be verified now; ${AGAIN}`);
    case RefusalCode.REFUSAL_CODE_THROTTLED:
      throw new AppError(
        'RATE_LIMITED',
        `too many open or failed executions of this payer; wait a minute, then ${AGAIN}`,
        {
          headers: { 'retry-after': '60' },
        },
      );
    default:
      throw new AppError('INTERNAL', `something went wrong on our side; ${AGAIN}`);
  }
}

function settlementPending(): AppError {
  return new AppError('SETTLEMENT_PENDING', `the settlement is not known yet; ${AGAIN}`, {
    headers: { 'retry-after': '5' },
  });
}
