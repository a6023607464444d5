import { channel as diagnosticsChannel } from 'node:diagnostics_channel';
import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { DepositResponse } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { isIdentifierDenial } from '../../../services/ledger/contract/outcomes.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Fingerprints } from '../call/fingerprints.ts';
import { voidReservation } from '../call/reserved-call.ts';
import { AGAIN, settlementPending } from '../payment/payment-answers.ts';
import type { PaymentOutcome } from '../payment/payment-outcome.ts';
import { channelUnavailable, correct, type Deposited, isUndecided, refused } from './channel-answers.ts';
import type { ChannelCall } from './channel-call.ts';
import { explainDeposit, reasonOf } from './channel-reason.ts';
import { type ChargingDeps, charge, type FindLimit, identifierFault } from './charged-call.ts';
import { type AccountDeps, readAccount } from './read-account.ts';
import { DECIDED_WITHIN_MS, type ReadContract, toWireConfig } from './read-contract.ts';

export interface DepositDeps extends ChargingDeps {
  readonly ledger: ChargingDeps['ledger'] & AccountDeps['ledger'];
  readonly channels: Pick<ChannelsClient, 'deposit'>;
  readonly fingerprints: Pick<Fingerprints, 'ofNetwork'>;
  readonly readContract: ReadContract;
  readonly findLimit: FindLimit;
}

const step = diagnosticsChannel('tollhouse:step');
/** How long a deposit may take until the client is asked to come back. */
const DEPOSIT_TIMEOUT_MS = 30_000;
const PENDING = `the deposit is not confirmed yet and nothing was executed; ${AGAIN}`;

/** Channels are not offered since this process started. */
const NOT_OFFERED = { $case: 'refused' as const, value: reasonOf('scheme') };

type Refused = Extract<PaymentOutcome, { kind: 'refused' }>;

/**
 * Sends the deposit of a payment, and waits until it is final and credited. A repeated payment follows the deposit that
 * was sent before. Nothing is sent if the voucher could not pay for the call anyway, or its identifier is not free. A call
 * that was charged before by its identifier is answered after its deposit, because clients count a deposit with its answer.
 * @throws {AppError}
 */
export async function makeDeposit(
  deps: DepositDeps,
  call: ChannelCall,
  paymentJson: string,
): Promise<Deposited | Refused> {
  const account = await readAccount(deps, call.payload.channelId);
  const isNext = isNextVoucher(call, account);
  const limit = deps.findLimit(call);
  if (!isNext || limit !== undefined || call.identifier !== undefined) {
    const refusal = await findRefusal(deps, call, account);
    if (refusal !== undefined) return refusal;
    if (isNext && limit !== undefined) throw limit;
  }
  step.publish('deposit.before');
  const { outcome } = await send(deps, call, paymentJson);
  step.publish('deposit.after');
  if (outcome?.$case === 'refused') return { kind: 'refused', reason: explainDeposit(outcome.value) };
  if (outcome?.$case !== 'deposited') throw settlementPending(PENDING);
  // The payments service has stored what the contract shows now, and the ledger reads that.
  return outcome.value;
}

/**
 * Asks the ledger about a voucher that does not seem to be the next one, whose signer has to wait, or that has an
 * identifier. Undefined: it is the next one, or its call was charged before.
 * A client that forgot its channel signs the first voucher again, with a deposit that it does not need.
 * @throws {AppError} PAYMENT_UNAVAILABLE
 */
async function findRefusal(
  deps: DepositDeps,
  call: ChannelCall,
  { fundedMicroUsd }: ChannelAccount,
): Promise<Refused | undefined> {
  const { payload } = call;
  const isNew = call.identifier !== undefined && fundedMicroUsd === 0n && (await isNewInContract(deps, call));
  const { reservationId, outcome } = await charge(deps, call, isNew);
  const { state, account } = outcome;
  if (isIdentifierDenial(state)) throw identifierFault(state);
  // The call is charged after its deposit.
  if (state === 'reserved') await voidReservation(deps, reservationId, 'cancelled');
  if (state === 'reserved' || state === 'repeated' || state === 'exceeds_balance') return undefined;
  // The deposit may be its first.
  if (state === 'channel_not_found' && isNextVoucher(call, account)) return undefined;
  if (isUndecided(state)) throw channelUnavailable();
  if (state === 'channel_busy' || state === 'cumulative_below_claimed') return refused(reasonOf(state));
  return correct(payload.channelId, account);
}

async function isNewInContract({ readContract }: DepositDeps, { payload }: ChannelCall): Promise<boolean> {
  const { balance } = await readContract(payload, DECIDED_WITHIN_MS).catch((cause: unknown) => {
    throw channelUnavailable(cause);
  });
  return balance === '0';
}

const isNextVoucher = ({ payload, request }: ChannelCall, { chargedMicroUsd }: ChannelAccount) =>
  payload.cumulativeMicroUsd === chargedMicroUsd + request.operation.priceMicroUsd;

async function send(
  { channels, fingerprints }: DepositDeps,
  { request: { requestId, clientNetwork }, payload }: ChannelCall,
  paymentJson: string,
): Promise<DepositResponse> {
  const { config, channelId, cumulativeMicroUsd, signature } = payload;
  const voucher = { channelId, maxClaimableAmount: String(cumulativeMicroUsd), signature };
  const range = clientNetwork === undefined ? undefined : fingerprints.ofNetwork(clientNetwork);
  const message = { config: toWireConfig(config), voucher, paymentJson, range };
  try {
    return await channels.deposit(message, { requestId, timeoutMs: DEPOSIT_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof CallError && error.code === 'INVALID_ARGUMENT') {
      throw new AppError('MALFORMED_PAYMENT', error.message, { cause: error });
    }
    if (error instanceof CallError && error.code === 'PAYMENT_UNAVAILABLE') throw channelUnavailable(error);
    if (error instanceof CallError && error.code === 'CHANNELS_NOT_OFFERED') return { outcome: NOT_OFFERED };
    // Without an answer, the deposit may have been sent. A repeat of the same request can tell.
    throw settlementPending(PENDING, error);
  }
}
