import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import type { Admission } from '../../admission/admission.ts';
import { AppError, toAppError } from '../../errors/app-error.ts';
import { type CallFreeze, findFreeze } from '../../freeze/call-freeze.ts';
import { createFailureWindows } from '../../http/failure-windows.ts';
import { overloaded } from '../../http/overload.ts';
import type { AccessRequest } from '../call/access-request.ts';
import type { Fingerprints } from '../call/fingerprints.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import { encodeResponse, type PaymentOutcome } from '../payment/payment-outcome.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import {
  channelUnavailable,
  correct,
  type Deposited,
  describeDeposit,
  isUndecided,
  refused,
} from './channel-answers.ts';
import { type ChannelCall, toChannelCall } from './channel-call.ts';
import { type ChannelPayload, readChannelPayload } from './channel-payload.ts';
import { reasonOf } from './channel-reason.ts';
import { type ChargedCallDeps, type Denied, runCharged } from './charged-call.ts';
import { makeDeposit } from './deposit.ts';
import { readAccount } from './read-account.ts';
import type { ReadContract } from './read-contract.ts';
import type { Resync } from './resync.ts';
import { isOfOtherTerms, type VerifyVoucher } from './verify-voucher.ts';

/** Payments of the scheme `batch-settlement`: a voucher of a payment channel for each call. */
export interface ChannelPayment {
  /** Handles a valid request with a payment. @throws {AppError} */
  run(request: AccessRequest, presented: PresentedPayment): Promise<PaymentOutcome>;
}

export interface ChannelPaymentDeps extends Omit<ChargedCallDeps, 'countFailure' | 'findLimit'> {
  readonly ledger: Pick<LedgerClient, 'charge' | 'post' | 'void' | 'channels'>;
  readonly channels: Pick<ChannelsClient, 'deposit'>;
  readonly admission: Pick<Admission, 'run' | 'hasRoom'>;
  readonly freeze: CallFreeze;
  readonly secrets: OfferSecrets;
  readonly fingerprints: Fingerprints;
  readonly verify: VerifyVoucher;
  readonly resync: Resync;
  readonly readContract: ReadContract;
  readonly monotonicMs: () => number;
}

type Deps = Omit<ChannelPaymentDeps, 'monotonicMs'> & ChargedCallDeps;

/** Failed executions of a key that signs vouchers in an hour, as for wallets of trials. Anyone can name a payer. */
const FAILURES = { max: 5, windowMs: 3_600_000, capacity: 10_000 };

export function createChannelPayment({ monotonicMs, ...others }: ChannelPaymentDeps): ChannelPayment {
  const failures = createFailureWindows({ ...FAILURES, monotonicMs });
  const deps = {
    ...others,
    countFailure: ({ payload }: ChannelCall) => failures.add(payload.config.payerAuthorizer),
    findLimit({ payload }: ChannelCall) {
      const blockedMs = failures.blockedMs(payload.config.payerAuthorizer);
      return blockedMs === undefined ? undefined : throttled(blockedMs);
    },
  };
  return {
    async run(request, presented) {
      const read = readChannelPayload(presented.payload);
      if ('refused' in read) return refused(read.refused);
      const { payload } = read;
      const reason = deps.verify(payload, request.operation.priceMicroUsd);
      if (reason !== undefined) {
        const call = isOfOtherTerms(reason) ? findEarlierCall(deps, request, { payload, presented }) : undefined;
        return (call && (await answerAgain(deps, call))) ?? { kind: 'refused', reason };
      }
      if (payload.intent.type === 'refund') return refused(reasonOf('payload_type'));
      const call = toChannelCall(request, payload, presented, deps);
      const refusal = findFreeze(deps.freeze);
      if (refusal !== undefined) {
        const answer = await answerAgain(deps, call);
        if (answer === undefined) throw refusal;
        return answer;
      }
      if (payload.intent.type === 'voucher') return pay(deps, call, undefined);
      // A deposit waits for blocks, so it takes no place of the calls that are executed.
      if (!deps.admission.hasRoom(request.client)) throw overloaded();
      const deposited = await makeDeposit(deps, call, JSON.stringify(presented.payload));
      return 'kind' in deposited ? deposited : payDeposited(deps, call, deposited);
    },
  };
}

/** What a call cost that may have been charged before the terms were changed. */
const EARLIER_PRICE = /^[1-9][0-9]{0,14}$/;

/** The call at the price that its payer accepted. Undefined if more than the price or the delay differs. */
function findEarlierCall(
  deps: Deps,
  request: AccessRequest,
  { payload, presented }: { readonly payload: ChannelPayload; readonly presented: PresentedPayment },
): ChannelCall | undefined {
  const { amount } = payload.accepted;
  if (payload.intent.type === 'refund' || !EARLIER_PRICE.test(amount)) return undefined;
  if (deps.verify(payload, undefined) !== undefined) return undefined;
  const operation = { ...request.operation, priceMicroUsd: BigInt(amount) };
  return toChannelCall({ ...request, operation }, payload, presented, deps);
}

/**
 * Answers only the call that was charged last, and makes no deposit: while calls are frozen, or after a change of the terms.
 * Nothing can be reserved, because the voucher is for no more than what was charged.
 */
async function answerAgain(deps: Deps, call: ChannelCall): Promise<PaymentOutcome | undefined> {
  const account = await readAccount(deps, call.payload.channelId);
  const outcome = isLatestCharge(call, account) ? await pay(deps, call, undefined) : undefined;
  return outcome?.kind === 'settled' ? outcome : undefined;
}

/** Whether the voucher is for the sum of the latest charge. The ledger decides whether it is a repeat. */
const isLatestCharge = ({ payload }: ChannelCall, { chargedMicroUsd }: ChannelAccount) =>
  payload.cumulativeMicroUsd === chargedMicroUsd;

const throttled = (blockedMs: number) =>
  new AppError('RATE_LIMITED', 'too many requests of this signer failed within an hour by their own fault', {
    headers: { 'retry-after': String(Math.ceil(blockedMs / 1000)) },
  });

/** A client learns only from a payment response that its deposit was made, whatever becomes of the call. */
async function payDeposited(deps: Deps, call: ChannelCall, deposited: Deposited): Promise<PaymentOutcome> {
  const paymentResponseJson = describeDeposit(deps.network, call.payload, deposited);
  const outcome = await pay(deps, call, deposited).catch((thrown: unknown) => {
    throw toAppError(thrown).with({ 'payment-response': encodeResponse(paymentResponseJson) });
  });
  if (outcome.kind !== 'refused' || isCorrection(outcome)) return outcome;
  return { ...outcome, paymentResponseJson };
}

/** Whether a client reads the chain, its deposit included. It does so only without a payment response. */
const isCorrection = ({ reason, correction }: Extract<PaymentOutcome, { kind: 'refused' }>) =>
  correction !== undefined || reason === reasonOf('cumulative_below_claimed');

/** Runs the call, and once more if the ledger did not know all credit of the channel. */
async function pay(deps: Deps, call: ChannelCall, deposited: Deposited | undefined): Promise<PaymentOutcome> {
  const { request, payload } = call;
  const run = () => deps.admission.run(request.client, () => runCharged(deps, call, deposited));
  const outcome = await run();
  if (outcome.kind !== 'denied') return outcome;
  const isUnknownCredit = outcome.state === 'channel_not_found' || outcome.state === 'exceeds_balance';
  if (!isUnknownCredit || !(await deps.resync(payload, request.client, outcome.account))) {
    return deny(payload, outcome);
  }
  const again = await run();
  return again.kind === 'denied' ? deny(payload, again) : again;
}

/** @throws {AppError} if the ledger could not decide */
function deny({ channelId }: ChannelPayload, { state, account }: Denied): PaymentOutcome {
  if (state === 'cumulative_mismatch') return correct(channelId, account);
  if (isUndecided(state)) throw channelUnavailable();
  return refused(reasonOf(state === 'exceeds_balance' ? 'cumulative_exceeds_balance' : state));
}
