import { v7 as uuidv7 } from 'uuid';
import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { ChannelTransfer, RefundChannelResponse } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { MAX_MICRO_USD } from '../../../services/ledger/contract/channels.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import type { Denial, RefundHoldOutcome } from '../../../services/ledger/contract/outcomes.ts';
import { claimOf } from '../../../services/payments/contract/channel-funds.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { AppError } from '../../errors/app-error.ts';
import { createFailureWindows } from '../../http/failure-windows.ts';
import { ACCOUNTING_MS } from '../call/execution.ts';
import { voidIfUncertain, voidReservation } from '../call/reserved-call.ts';
import { settlementPending } from '../payment/payment-answers.ts';
import { type PaymentOutcome, UNSUPPORTED_VERSION } from '../payment/payment-outcome.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import { channelUnavailable, correct, describeSettled, isUndecided, refused, stateOf } from './channel-answers.ts';
import { type ChannelPayload, readChannelPayload } from './channel-payload.ts';
import { reasonOf } from './channel-reason.ts';
import { DECIDED_WITHIN_MS, type ReadContract } from './read-contract.ts';
import type { Resync } from './resync.ts';
import type { VerifyVoucher } from './verify-voucher.ts';

/** Returns credit of a channel to its payer, on the chain. */
export interface Refund {
  /** @throws {AppError} */
  run(presented: PresentedPayment, from: RefundRequest): Promise<PaymentOutcome>;
}

export interface RefundRequest {
  readonly requestId: string;
  /** As in `AccessRequest`. */
  readonly client: string;
}

export interface RefundDeps {
  readonly ledger: Pick<LedgerClient, 'holdRefund' | 'void'>;
  readonly channels: Pick<ChannelsClient, 'refund'>;
  readonly readContract: ReadContract;
  readonly resync: Resync;
  readonly verify: VerifyVoucher;
  readonly network: string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly logger: Logger;
}

const REFUND_TIMEOUT_MS = 30_000;
/** Refunds of a channel in an hour: we pay for the transaction. */
const REFUNDS = { max: 5, windowMs: 3_600_000, capacity: 10_000 };
/** Official clients show it. The reason alone would make them read the chain, and send the same again. */
const PUBLIC_VOUCHER =
  `${reasonOf('cumulative_below_claimed')}: anyone can read this voucher on the chain; make a call first, or a withdrawal` as const;
const PENDING = 'the refund is not confirmed yet; it continues, and until then the channel is busy';

/** Hold, refund on the chain, return the hold: the ledger then reads what is left. */
export function createRefund({ monotonicMs, ...deps }: RefundDeps): Refund {
  const refunds = createFailureWindows({ ...REFUNDS, monotonicMs });
  return {
    async run(presented, from) {
      if (presented.version !== 2) return UNSUPPORTED_VERSION;
      const read = readChannelPayload(presented.payload);
      if ('refused' in read) return refused(read.refused);
      const { payload } = read;
      const reason = deps.verify(payload, undefined);
      if (reason !== undefined) return { kind: 'refused', reason };
      if (payload.intent.type !== 'refund') return refused(reasonOf('payload_type'));
      const { amountMicroUsd } = payload.intent;
      if (amountMicroUsd !== undefined && !isCountable(amountMicroUsd))
        return refused(reasonOf('refund_amount_invalid'));
      const hold = await holdOnce(deps, { payload, amountMicroUsd, client: from.client });
      if (hold.state !== 'reserved') return deny(payload, hold);
      // Who has a public voucher does not learn of the refunds of others.
      const blockedMs = refunds.blockedMs(payload.channelId);
      if (blockedMs !== undefined) {
        await voidReservation(deps, hold.reservationId, 'cancelled');
        throw throttled(blockedMs);
      }
      refunds.add(payload.channelId);
      return refundHeld(deps, payload, { ...hold, requestId: from.requestId });
    },
  };
}

const isCountable = (amountMicroUsd: bigint) => amountMicroUsd > 0n && amountMicroUsd <= MAX_MICRO_USD;

type Deps = Omit<RefundDeps, 'monotonicMs'>;

const throttled = (blockedMs: number) =>
  new AppError('RATE_LIMITED', 'this channel had too many refunds within an hour', {
    headers: { 'retry-after': String(Math.ceil(blockedMs / 1000)) },
  });

interface Wanted {
  readonly payload: ChannelPayload;
  readonly amountMicroUsd: bigint | undefined;
  readonly client: string;
}

type Hold = RefundHoldOutcome & { readonly reservationId: string };

/** Holds the amount, after asking the contract if the ledger does not know the channel. */
async function holdOnce(deps: Deps, wanted: Wanted): Promise<Hold> {
  const outcome = await hold(deps, wanted);
  if (outcome.state !== 'channel_not_found') return outcome;
  return (await deps.resync(wanted.payload, wanted.client, outcome.account)) ? hold(deps, wanted) : outcome;
}

async function hold(deps: Deps, { payload, amountMicroUsd }: Wanted): Promise<Hold> {
  const nowMs = deps.now();
  const reservationId = uuidv7({ msecs: nowMs });
  const { channelId, cumulativeMicroUsd, signature } = payload;
  try {
    const outcome = await deps.ledger.holdRefund({
      reservationId,
      channelId,
      cumulativeMicroUsd,
      signature,
      amountMicroUsd,
      deadlineMs: nowMs + REFUND_TIMEOUT_MS + ACCOUNTING_MS,
    });
    return { ...outcome, reservationId };
  } catch (error) {
    voidIfUncertain(deps, reservationId, error);
    throw channelUnavailable(error);
  }
}

/** @throws {AppError} if the ledger could not decide */
function deny(
  payload: ChannelPayload,
  { state, account }: { readonly state: Denial; readonly account: ChannelAccount },
): PaymentOutcome {
  if (isUndecided(state)) throw channelUnavailable();
  switch (state) {
    case 'cumulative_mismatch':
      return correct(payload.channelId, account);
    case 'exceeds_balance':
      return refused(
        reasonOf(isForAll(payload) || account.balanceMicroUsd === 0n ? 'refund_no_balance' : 'refund_amount_invalid'),
      );
    case 'cumulative_below_claimed':
      return refused(PUBLIC_VOUCHER);
    default:
      return refused(reasonOf(state));
  }
}

const isForAll = ({ intent }: ChannelPayload) => intent.type === 'refund' && intent.amountMicroUsd === undefined;

type Held = Extract<Hold, { state: 'reserved' }> & Pick<RefundRequest, 'requestId'>;

async function refundHeld(deps: Deps, payload: ChannelPayload, held: Held): Promise<PaymentOutcome> {
  await remember(deps, payload, held);
  const { outcome } = await send(deps, payload, held);
  switch (outcome?.$case) {
    case 'refunded':
      return confirm(deps, payload, held, outcome.value);
    case 'refused':
      await voidReservation(deps, held.reservationId, 'operation_failed');
      return { kind: 'refused', reason: outcome.value };
    default:
      throw settlementPending(PENDING);
  }
}

/**
 * Makes sure that the payments service knows the configuration, without which it cannot refund. This is asked only about
 * channels that have credit in the ledger, so that strangers cannot use it to load the node.
 * @throws {AppError} PAYMENT_UNAVAILABLE, with nothing held
 */
async function remember(deps: Deps, payload: ChannelPayload, { reservationId }: Held): Promise<void> {
  try {
    await deps.readContract(payload, DECIDED_WITHIN_MS);
  } catch (error) {
    await voidReservation(deps, reservationId, 'operation_failed');
    throw channelUnavailable(error);
  }
}

/** @throws {AppError} SETTLEMENT_PENDING, with the amount still held */
async function send(deps: Deps, payload: ChannelPayload, held: Held): Promise<RefundChannelResponse> {
  const { channelId } = payload;
  const { reservationId: refundId, amountMicroUsd, account, requestId } = held;
  // If nothing is left, what is charged is claimed in the same transaction. The voucher of the request is for just that.
  const message = { refundId, channelId, amount: String(amountMicroUsd), claim: claimOf(channelId, account, payload) };
  try {
    return await deps.channels.refund(message, { requestId, timeoutMs: REFUND_TIMEOUT_MS });
  } catch (error) {
    // The transaction may have been sent. The back office repeats the refund by its id.
    deps.logger.error({ err: error, refundId, channelId }, 'the refund did not answer');
    throw settlementPending(PENDING, error);
  }
}

async function confirm(
  deps: Deps,
  { config, channelId }: ChannelPayload,
  { reservationId, account }: Held,
  { transaction, amount, channel }: ChannelTransfer,
): Promise<PaymentOutcome> {
  // Otherwise the back office returns the hold, once the payments service has stored that the money is gone.
  if (channel !== undefined) await voidReservation(deps, reservationId, 'operation_failed');
  const state = stateOf(channelId, account.chargedMicroUsd, channel);
  const sent = { transaction, amount };
  return {
    kind: 'settled',
    body: Buffer.from(JSON.stringify({ message: 'Refund acknowledged', channelId })),
    paymentResponseJson: describeSettled({ payer: config.payer, network: deps.network, state, sent }),
  };
}
