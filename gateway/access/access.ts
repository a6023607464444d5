import type { LedgerClient } from '../../services/ledger/contract/client.ts';
import type { TrialStatus } from '../../services/ledger/contract/trial-terms.ts';
import { AppError } from '../errors/app-error.ts';
import type { CallFreeze } from '../freeze/call-freeze.ts';
import type { Operation } from '../operations/operation/operation.ts';
import { type AccessReply, type AccessRequest, assertValid, isEmptyBody } from './call/access-request.ts';
import { digestBody } from './call/body-digest.ts';
import { singleValue } from './call/single-value.ts';
import type { Challenger } from './challenge/challenge.ts';
import type { Offer } from './offer/offer.ts';
import type { FindOffer } from './offer/offers-by-origin.ts';
import type { PaymentRequired } from './offer/payment-required.ts';
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
  readonly clientNetwork: string | undefined;
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
  readonly ledger: Pick<LedgerClient, 'ready' | 'budget' | 'checkLocks'>;
  readonly challenger: Challenger;
  readonly trial: Trial;
  readonly payment: Payment;
  readonly freeze: CallFreeze;
  /** Whether a payment would be taken now. Known for about a second. */
  readonly arePaymentsTaken: () => Promise<boolean>;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

const AVAILABILITY_CACHE_MS = 1000;

export function createAccess(deps: AccessDeps): Access {
  const { findOffer, ledger, challenger, trial, payment, freeze, arePaymentsTaken } = deps;
  const trials = createTrialCheck(deps);

  function toAccessRequest({ operation, search, body, host, requestId, client, clientNetwork }: Call): AccessRequest {
    const found = findOffer(operation, host);
    return { operation, ...found, uri: found.offer.uri + search, body, requestId, client, clientNetwork };
  }

  async function denyUnavailable(offer: Offer, isQueryTooLong = false): Promise<AccessReply> {
    const isPaidPossible = freeze.state() === 'open' && (await arePaymentsTaken());
    return trialReply('unavailable', offer.denial('unavailable', { isPaidPossible, isQueryTooLong }));
  }

  async function answerUnsigned(request: AccessRequest): Promise<AccessReply> {
    const { operation, offer, uri, domain, body } = request;
    if (isEmptyBody(body)) return trialReply('discovery_probe', offer.probe(ledger.ready().ok));
    assertValid(request);
    if (freeze.state() !== 'open' || !ledger.ready().ok) return denyUnavailable(offer);
    if (!isCoveredByGrant(operation.priceMicroUsd)) {
      return trialReply('insufficient_balance', offer.denial('insufficient_balance'));
    }
    const remainingMicroUsd = await trials.askBudget();
    if (remainingMicroUsd === undefined) return denyUnavailable(offer);
    if (remainingMicroUsd < operation.priceMicroUsd) {
      return trialReply('daily_budget_exhausted', offer.denial('daily_budget_exhausted'));
    }
    const info = challenger.issue({ uri, domain, method: 'POST', bodyDigest: digestBody(body) });
    const challenge = offer.challenge(JSON.stringify(info));
    return challenge === undefined ? denyUnavailable(offer, true) : trialReply('challenge', challenge);
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
        try {
          return await trial.run(request, proof);
        } catch (error) {
          if (error instanceof AppError && error.code === 'TRIAL_UNAVAILABLE') trials.forget();
          throw error;
        }
      }
      return answerUnsigned(request);
    },
  };
}

interface TrialCheck {
  /** What trials may spend today, in micro-USD. Undefined while the ledger or Redis does not answer. */
  askBudget(): Promise<bigint | undefined>;
  /** Has the ledger asked again by the next request. */
  forget(): void;
}

/**
 * Asks what a trial needs, so that nobody signs a challenge in vain. Redis is asked each time, which costs little. The
 * ledger is asked at most once a second, again on a new UTC day, and again after a trial that could not be accounted for.
 */
function createTrialCheck({
  ledger,
  now,
  monotonicMs,
}: Pick<AccessDeps, 'ledger' | 'now' | 'monotonicMs'>): TrialCheck {
  let asked: { readonly atMs: number; readonly day: number; readonly remaining: Promise<bigint> } | undefined;

  function readBudget(): Promise<bigint> {
    const atMs = monotonicMs();
    const day = Math.floor(now() / 86_400_000);
    if (asked !== undefined && atMs - asked.atMs < AVAILABILITY_CACHE_MS && asked.day === day) return asked.remaining;
    const own = { atMs, day, remaining: ledger.budget().then(({ remainingMicroUsd }) => remainingMicroUsd) };
    asked = own;
    // All that wait for one that fails ask the next one together.
    own.remaining.catch(() => {
      if (asked === own) asked = undefined;
    });
    return own.remaining;
  }

  /** One late answer may be that of a busy moment. */
  const twice = <T>(ask: () => Promise<T>): Promise<T> => ask().catch(ask);

  return {
    async askBudget() {
      const answers = Promise.all([twice(readBudget), twice(ledger.checkLocks)]);
      return answers.then(([remaining]) => remaining).catch(() => undefined);
    },
    forget() {
      asked = undefined;
    },
  };
}

function trialReply(status: TrialStatus, { header, body }: PaymentRequired): AccessReply {
  return { status: 402, headers: { 'x-trial-status': status, 'payment-required': header }, body };
}
