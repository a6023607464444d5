import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeginResponse,
  type BeginResponse_Execute,
  SettlementOutcome,
  type SettleResponse,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../services/ledger/contract/ledger.ts';
import type { PaymentsClient } from '../../../services/payments/contract/client.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import type { Admission } from '../../admission/admission.ts';
import { isUnreachable } from '../../clients/call-error.ts';
import { AppError, toAppError } from '../../errors/app-error.ts';
import { assertNotFrozen, type CallFreeze, callsFrozen } from '../../freeze/call-freeze.ts';
import type { AccessRequest } from '../call/access-request.ts';
import { ACCOUNTING_MS, type Execute, requestBodyOf } from '../call/execution.ts';
import { isCausedByCaller } from '../call/failure-cause.ts';
import type { Fingerprints } from '../call/fingerprints.ts';
import { readRetainedAnswer } from '../call/retained-answer.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import { AGAIN, internalError, refuse, settlementPending, toOutcome } from './payment-answers.ts';
import type { PaymentOutcome } from './payment-outcome.ts';
import type { PresentedPayment } from './presented-payment.ts';

/** Payments of the scheme `exact`. */
export interface ExactPayment {
  /** Handles a valid request with a payment. @throws {AppError} */
  run(request: AccessRequest, presented: PresentedPayment): Promise<PaymentOutcome>;
}

export interface ExactPaymentDeps {
  readonly payments: PaymentsClient;
  readonly backoffice: BackofficeClient;
  readonly ledger: Pick<LedgerClient, 'keep'>;
  readonly execute: Execute;
  readonly admission: Pick<Admission, 'run'>;
  readonly freeze: CallFreeze;
  readonly secrets: OfferSecrets;
  readonly fingerprints: Fingerprints;
  readonly now: () => number;
  readonly logger: Logger;
}

const SETTLE_TIMEOUT_MS = 30_000;
/** How long settlement is tried again while the service is not reachable: the time of a restart. */
const SETTLE_AGAIN_MS = 5000;
const SETTLE_PAUSE_MS = 100;
const RELEASE_TIMEOUT_MS = 3000;
/** When to ask what became of a claim that its gateway left open. */
const DUE_IN_MS = ACCOUNTING_MS + SETTLE_TIMEOUT_MS + 5000;

const NO_SECRET = Buffer.alloc(0);

/** Claim, execute, keep, settle, reply: the claim makes one payment one execution, however often it is sent. */
export function createExactPayment(deps: ExactPaymentDeps): ExactPayment {
  return {
    async run(request, presented) {
      const outcome = await begin(deps, request, presented);
      switch (outcome.$case) {
        case 'refuse':
          return refuse(outcome.value);
        case 'replay': {
          const { claimId, paymentResponseJson } = outcome.value;
          return {
            kind: 'settled',
            body: await readRetainedAnswer(deps.backoffice, claimId, request.requestId),
            paymentResponseJson,
            isRepeated: true,
          };
        }
        case 'execute': {
          const leaseEndsMs = deps.now() + request.operation.timeoutMs + ACCOUNTING_MS;
          const body = await execute(deps, request, { ...outcome.value, leaseEndsMs });
          return toOutcome(await settle(deps, request, outcome.value.claimId), body);
        }
        case 'resume': {
          const body = await readRetainedAnswer(deps.backoffice, outcome.value.claimId, request.requestId);
          return toOutcome(await settle(deps, request, outcome.value.claimId), body);
        }
      }
    },
  };
}

/** Claims the payment for this request. @throws {AppError} if the payments service does not answer */
async function begin(
  { payments, secrets, fingerprints, freeze }: ExactPaymentDeps,
  request: AccessRequest,
  { payload, offerSecret, identifier }: PresentedPayment,
): Promise<NonNullable<BeginResponse['outcome']>> {
  const { operation, requestId } = request;
  const message = {
    paymentJson: JSON.stringify(payload),
    amount: String(operation.priceMicroUsd),
    requestFingerprint: Buffer.from(fingerprints.ofRequest(request), 'hex'),
    offerSecretHash: secrets.hashOf(offerSecret) ?? NO_SECRET,
    paymentIdentifierHash:
      identifier === undefined ? undefined : Buffer.from(fingerprints.ofIdentifier(identifier), 'hex'),
    operationTimeoutMs: operation.timeoutMs,
    callsFrozen: freeze.state() === 'frozen',
  };
  const settings = { requestId, timeoutMs: operation.timeoutMs + ACCOUNTING_MS };
  const { outcome } = await payments.begin(message, settings).catch((cause: unknown) => {
    if (cause instanceof CallError && cause.code === 'CALLS_FROZEN') throw callsFrozen(cause);
    throw new AppError('PAYMENT_UNAVAILABLE', `payments are not available now; ${AGAIN}`, { cause });
  });
  if (outcome === undefined) throw internalError();
  return outcome;
}

/** A claim to execute, with the time at which it can be taken over. */
type Claimed = BeginResponse_Execute & { readonly leaseEndsMs: number };

/** Executes the operation and keeps its answer. @throws {AppError} after releasing the claim */
async function execute(deps: ExactPaymentDeps, request: AccessRequest, claimed: Claimed): Promise<Buffer> {
  let isAdmitted = false;
  const executed = deps.admission.run(request.client, () => {
    assertNotFrozen(deps.freeze);
    isAdmitted = true;
    return executeAdmitted(deps, request, claimed);
  });
  return executed.catch((error: unknown) => {
    if (isAdmitted) throw error;
    return release(deps, { claimId: claimed.claimId, requestId: request.requestId }, toAppError(error));
  });
}

async function executeAdmitted(
  deps: ExactPaymentDeps,
  request: AccessRequest,
  { claimId, leaseEndsMs }: Claimed,
): Promise<Buffer> {
  const { operation, requestId } = request;
  const claim = { claimId, requestId };
  const responseBody = await deps.execute(request).catch((error: unknown) => release(deps, claim, toAppError(error)));
  const kept = await deps.ledger
    .keep(
      {
        ...claim,
        operation: operation.name,
        requestBody: requestBodyOf(request),
        responseBody,
        dueInMs: DUE_IN_MS,
      },
      leaseEndsMs - deps.now(),
    )
    .catch((error: unknown) => error);
  if (kept === 'kept') return responseBody;
  // If it was kept, the same request goes on from there, and otherwise when the lease ends.
  if (kept instanceof LedgerUnavailableError && kept.code === 'uncertain') {
    throw settlementPending(`the result is not known to be kept yet; ${AGAIN}`, kept);
  }
  return release(
    deps,
    claim,
    new AppError('PAYMENT_UNAVAILABLE', `the result was not kept; ${AGAIN}`, { cause: kept }),
  );
}

interface Claim {
  readonly claimId: string;
  readonly requestId: string;
}

/** Releases the claim after a failure, so that the payment may be presented again. Otherwise its lease ends it. */
async function release({ payments, logger }: ExactPaymentDeps, claim: Claim, error: AppError): Promise<never> {
  const { claimId, requestId } = claim;
  await payments
    .release({ claimId, causedByCaller: isCausedByCaller(error) }, { requestId, timeoutMs: RELEASE_TIMEOUT_MS })
    .catch((cause: unknown) => {
      logger.warn({ err: cause, claimId, requestId }, 'the claim was not released');
    });
  throw error;
}

/** Settles the claim, again while the service is not reachable: a claim is settled once, however often this is asked. */
async function settle(
  { payments, now, logger }: ExactPaymentDeps,
  { requestId }: AccessRequest,
  claimId: string,
): Promise<SettleResponse> {
  const startedMs = now();
  for (;;) {
    const timeoutMs = startedMs + SETTLE_TIMEOUT_MS - now();
    try {
      return await payments.settle({ claimId }, { requestId, timeoutMs });
    } catch (error) {
      if (isUnreachable(error) && now() - startedMs < SETTLE_AGAIN_MS) {
        await delay(SETTLE_PAUSE_MS);
        continue;
      }
      // The transaction may have been sent: only a repeat of the same request can tell.
      logger.error({ err: error instanceof CallError ? error : undefined, claimId }, 'settlement did not answer');
      return { outcome: SettlementOutcome.SETTLEMENT_OUTCOME_PENDING };
    }
  }
}
