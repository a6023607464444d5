import type { ChannelAccount } from '../../../services/ledger/contract/channels.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import type { Admission } from '../../admission/admission.ts';
import { AppError } from '../../errors/app-error.ts';
import { type CallFreeze, findFreeze } from '../../freeze/call-freeze.ts';
import { createFailureWindows } from '../../http/failure-windows.ts';
import type { AccessRequest } from '../call/access-request.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import type { PaymentOutcome } from '../payment/payment-outcome.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import { channelUnavailable, correct, isUndecided, refused } from './channel-answers.ts';
import { type ChannelCall, toChannelCall } from './channel-call.ts';
import { type ChannelPayload, readChannelPayload } from './channel-payload.ts';
import { reasonOf } from './channel-reason.ts';
import {
  type ChargedCallDeps,
  type Denied,
  type Deposited,
  describeAnswered,
  runCharged,
  totalBefore,
  withDeposit,
} from './charged-call.ts';
import { makeDeposit } from './deposit.ts';
import { readAccount } from './read-account.ts';
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
  readonly admission: Pick<Admission, 'run'>;
  readonly freeze: CallFreeze;
  readonly secrets: OfferSecrets;
  readonly verify: VerifyVoucher;
  readonly resync: Resync;
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
      const call = toChannelCall(request, payload, { presented, secrets: deps.secrets });
      const refusal = findFreeze(deps.freeze);
      if (refusal !== undefined) {
        const answer = await answerAgain(deps, call);
        if (answer === undefined) throw refusal;
        return answer;
      }
      if (payload.intent.type === 'voucher') return pay(deps, call, undefined);
      const deposited = await makeDeposit(deps, call, JSON.stringify(presented.payload));
      return 'kind' in deposited ? deposited : pay(deps, call, deposited);
    },
  };
}

/** What a call cost that may have been charged before the terms were changed. */
const EARLIER_PRICE = /^[1-9][0-9]{0,14}$/;

/** The call at the price that its payer accepted. Undefined if more than the price or the delay differs. */
function findEarlierCall(
  { verify, secrets }: Deps,
  request: AccessRequest,
  { payload, presented }: { readonly payload: ChannelPayload; readonly presented: PresentedPayment },
): ChannelCall | undefined {
  const { amount } = payload.accepted;
  if (payload.intent.type === 'refund' || !EARLIER_PRICE.test(amount)) return undefined;
  if (verify(payload, undefined) !== undefined) return undefined;
  const operation = { ...request.operation, priceMicroUsd: BigInt(amount) };
  return toChannelCall({ ...request, operation }, payload, { presented, secrets });
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

/** Runs the call, and once more if the ledger did not know all credit of the channel. */
async function pay(deps: Deps, call: ChannelCall, deposited: Deposited | undefined): Promise<PaymentOutcome> {
  const { request, payload } = call;
  const run = () => deps.admission.run(request.client, () => runCharged(deps, call, deposited));
  const outcome = await run();
  if (outcome.kind !== 'denied') return outcome;
  const isUnknownCredit = outcome.state === 'channel_not_found' || outcome.state === 'exceeds_balance';
  if (!isUnknownCredit || !(await deps.resync(payload, request.client, outcome.account))) {
    return deny(deps, call, outcome, deposited);
  }
  const again = await run();
  return again.kind === 'denied' ? deny(deps, call, again, deposited) : again;
}

/** @throws {AppError} if the ledger could not decide */
async function deny(
  deps: Deps,
  call: ChannelCall,
  { state, account }: Denied,
  deposited: Deposited | undefined,
): Promise<PaymentOutcome> {
  const { payload } = call;
  const mirrored = () => deps.mirror.read(payload, account.fundedMicroUsd);
  // A client that finds a payment response does not look for a correction.
  if (state === 'cumulative_mismatch') return correct(payload.channelId, account, await mirrored());
  // Anyone may have the voucher, so only what it says itself is told.
  const tell = async () =>
    describeAnswered(deps, call, {
      mirrored: await mirrored(),
      deposited,
      totalMicroUsd: totalBefore(call),
      isFree: true,
    });
  if (isUndecided(state)) {
    if (deposited === undefined) throw channelUnavailable();
    throw withDeposit(channelUnavailable(), await tell());
  }
  const outcome = refused(reasonOf(state === 'exceeds_balance' ? 'cumulative_exceeds_balance' : state));
  // Deposits can be read on the chain too. The client reads what it deposited there.
  if (deposited === undefined || state === 'cumulative_below_claimed') return outcome;
  return { ...outcome, paymentResponseJson: await tell() };
}
