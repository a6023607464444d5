import type { LedgerClient } from '../../services/ledger/contract/client.ts';
import type { TrialStatus } from '../../services/ledger/contract/trial-terms.ts';
import { AppError } from '../errors/app-error.ts';
import type { CallFreeze } from '../freeze/call-freeze.ts';
import type { Operation } from '../operations/operation/operation.ts';
import { type AccessReply, type AccessRequest, assertValid, isEmptyBody } from './call/access-request.ts';
import { digestBody } from './call/body-digest.ts';
import { singleValue } from './call/single-value.ts';
import type { Challenger } from './challenge/challenge.ts';
import type { FindOffer } from './offer/offers-by-origin.ts';
import { MAX_REQUIRED_CHARACTERS, type PaymentRequired } from './offer/payment-required.ts';
import { isCoveredByGrant } from './offer/trial-info.ts';
import { toPaymentReply } from './payment/payment-outcome.ts';
import { readPaymentHeader } from './payment/presented-payment.ts';
import type { Payment } from './payment-schemes.ts';
import type { Trial } from './trial/trial.ts';

/** An HTTP request for an operation, with the headers that decide about access. */
export interface Call {
  readonly operation: Operation;
  /** The query of the URL with its question mark, or empty. */
  readonly search: string;
  /** Parsed JSON, or undefined for an empty body. */
  readonly body: unknown;
  /** The Host header. */
  readonly host: string | undefined;
  readonly requestId: string;
  readonly client: string;
  readonly grantScope: string | undefined;
  /** Every value of each header; empty if the header is absent. */
  readonly paymentSignature: readonly string[];
  readonly paymentV1: readonly string[];
  readonly signInWithX: readonly string[];
}

export interface Access {
  /** Decides how a call is paid for, executes it and returns the answer. @throws {AppError} */
  handle(call: Call): Promise<AccessReply>;
}

export interface AccessDeps {
  readonly findOffer: FindOffer;
  readonly ledger: Pick<LedgerClient, 'ready' | 'budget'>;
  readonly challenger: Challenger;
  readonly trial: Trial;
  readonly payment: Payment;
  readonly freeze: CallFreeze;
  /** Whether the payments service takes new payments. Known for about a second. */
  readonly arePaymentsTaken: () => Promise<boolean>;
  readonly now: () => number;
}

const AVAILABILITY_CACHE_MS = 1000;

export function createAccess(deps: AccessDeps): Access {
  const { findOffer, ledger, challenger, trial, payment, freeze, arePaymentsTaken, now } = deps;
  const isAffordable = createBudgetCheck(ledger, now);

  function toAccessRequest({ operation, search, body, host, requestId, client, grantScope }: Call): AccessRequest {
    const found = findOffer(operation, host);
    return { operation, ...found, uri: found.offer.uri + search, body, requestId, client, grantScope };
  }

  async function answerUnsigned(request: AccessRequest): Promise<AccessReply> {
    const { operation, offer, uri, domain, body } = request;
    if (isEmptyBody(body)) return trialReply('discovery_probe', offer.probe(ledger.ready().ok));
    assertValid(request);
    const isFrozen = freeze.state() === 'frozen';
    if (isFrozen || !ledger.ready().ok) {
      const isPaidPossible = !isFrozen && (await arePaymentsTaken());
      return trialReply('unavailable', offer.denial('unavailable', { isPaidPossible }));
    }
    if (!isCoveredByGrant(operation.priceMicroUsd)) {
      return trialReply('insufficient_balance', offer.denial('insufficient_balance'));
    }
    if (!(await isAffordable(operation.priceMicroUsd))) {
      return trialReply('daily_budget_exhausted', offer.denial('daily_budget_exhausted'));
    }
    const info = challenger.issue({ uri, domain, method: 'POST', bodyDigest: digestBody(body) });
    const challenge = offer.challenge(JSON.stringify(info));
    if (challenge.header.length > MAX_REQUIRED_CHARACTERS) {
      throw new AppError('INVALID_REQUEST', 'the query of the URL is too long to be signed: leave it out');
    }
    return trialReply('challenge', challenge);
  }

  return {
    async handle(call) {
      const request = toAccessRequest(call);
      const paymentV2 = singleValue(call.paymentSignature, 'MALFORMED_PAYMENT', 'PAYMENT-SIGNATURE');
      const paymentV1 = singleValue(call.paymentV1, 'MALFORMED_PAYMENT', 'X-PAYMENT');
      const paymentHeader = paymentV2 ?? paymentV1;
      if (paymentHeader !== undefined) {
        const outcome = await payment.run(request, () => readPaymentHeader(paymentHeader));
        return toPaymentReply(outcome, request.offer);
      }
      const proof = singleValue(call.signInWithX, 'MALFORMED_PROOF', 'SIGN-IN-WITH-X');
      if (proof !== undefined) {
        assertValid(request);
        return trial.run(request, proof);
      }
      return answerUnsigned(request);
    },
  };
}

/** Whether the daily budget covers a price. The ledger is asked at most once a second, and again on a new UTC day. */
function createBudgetCheck(
  ledger: AccessDeps['ledger'],
  now: () => number,
): (priceMicroUsd: bigint) => Promise<boolean> {
  let asked: { readonly atMs: number; readonly day: number; readonly remaining: Promise<bigint> } | undefined;
  return async (priceMicroUsd) => {
    const atMs = now();
    const day = Math.floor(atMs / 86_400_000);
    if (asked === undefined || atMs - asked.atMs >= AVAILABILITY_CACHE_MS || asked.day !== day) {
      const remaining = ledger.budget().then(({ remainingMicroUsd }) => remainingMicroUsd);
      // A ledger that does not answer soon reports that it is not ready. The reservation decides in any case.
      asked = { atMs, day, remaining: remaining.catch(() => priceMicroUsd) };
    }
    return (await asked.remaining) >= priceMicroUsd;
  };
}

function trialReply(status: TrialStatus, { header, body }: PaymentRequired): AccessReply {
  return { status: 402, headers: { 'x-trial-status': status, 'payment-required': header }, body };
}
