import { channel as diagnosticsChannel } from 'node:diagnostics_channel';
import type { DepositResponse } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelAccount } from '../../../services/ledger/contract/channels.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { AppError } from '../../errors/app-error.ts';
import type { PaymentOutcome } from '../payment/payment-outcome.ts';
import { AGAIN, channelUnavailable, correct, settlementPending } from './channel-answers.ts';
import type { ChannelCall } from './channel-call.ts';
import { type ChannelMirror, toWireConfig } from './channel-mirror.ts';
import { type ChargingDeps, type Deposited, isRepeated } from './charged-call.ts';
import { type FundingDeps, fundChannel, readAccount } from './fund-channel.ts';

export interface DepositDeps extends FundingDeps, Pick<ChargingDeps, 'now'> {
  readonly ledger: FundingDeps['ledger'] & ChargingDeps['ledger'];
  readonly channels: Pick<ChannelsClient, 'deposit'>;
  readonly mirror: ChannelMirror;
}

const step = diagnosticsChannel('tollhouse:step');
/** How long a deposit may take until the client is asked to come back. */
const DEPOSIT_TIMEOUT_MS = 30_000;
const PENDING = `the deposit is not confirmed yet and nothing was executed; ${AGAIN}`;

/**
 * Sends the deposit of a payment, waits until it is final, and credits it. A repeated payment follows the deposit that
 * was sent before. Nothing is sent if the voucher could not pay for the call anyway.
 * @throws {AppError}
 */
export async function makeDeposit(
  deps: DepositDeps,
  call: ChannelCall,
  paymentJson: string,
): Promise<Deposited | Extract<PaymentOutcome, { kind: 'refused' }>> {
  const { payload } = call;
  const { channelId } = payload;
  const known = await readAccount(deps, channelId);
  // A client that forgot its channel signs the first voucher again, with a deposit that it does not need.
  if (!isNextVoucher(call, known) && !(isLatestVoucher(call, known) && (await isRepeated(deps, call)))) {
    return correct(channelId, known, await deps.mirror.read(payload, known.fundedMicroUsd));
  }
  step.publish('deposit.before');
  const { outcome } = await send(deps, call, paymentJson);
  step.publish('deposit.after');
  if (outcome?.$case === 'refused') return { kind: 'refused', reason: outcome.value };
  if (outcome?.$case !== 'deposited') throw settlementPending(PENDING);
  const { transaction, amount, channel } = outcome.value;
  const found = defined(channel);
  deps.mirror.put(found);
  await fundChannel(deps, found, { known });
  return { transaction, amount };
}

const isNextVoucher = ({ payload, request }: ChannelCall, { chargedMicroUsd }: ChannelAccount) =>
  payload.cumulativeMicroUsd === chargedMicroUsd + request.operation.priceMicroUsd;

/** Whether the voucher was charged last. */
export const isLatestVoucher = ({ payload }: ChannelCall, { voucher }: ChannelAccount) =>
  payload.cumulativeMicroUsd === voucher?.cumulativeMicroUsd && payload.signature === voucher.signature;

async function send(
  { channels }: DepositDeps,
  { request: { requestId }, payload }: ChannelCall,
  paymentJson: string,
): Promise<DepositResponse> {
  const { config, channelId, cumulativeMicroUsd, signature } = payload;
  const voucher = { channelId, maxClaimableAmount: String(cumulativeMicroUsd), signature };
  const message = { config: toWireConfig(config), voucher, paymentJson };
  try {
    return await channels.deposit(message, { requestId, timeoutMs: DEPOSIT_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof CallError && error.code === 'INVALID_ARGUMENT') {
      throw new AppError('MALFORMED_PAYMENT', error.message, { cause: error });
    }
    if (error instanceof CallError && error.code === 'PAYMENT_UNAVAILABLE') throw channelUnavailable(error);
    // Without an answer, the deposit may have been sent. A repeat of the same request can tell.
    throw settlementPending(PENDING, error);
  }
}
