import { v7 as uuidv7 } from 'uuid';
import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import {
  type ChannelChargeOutcome,
  type Denial,
  type IdentifierDenial,
  isIdentifierDenial,
} from '../../../services/ledger/contract/outcomes.ts';
import { AppError } from '../../errors/app-error.ts';
import { ACCOUNTING_MS } from '../call/execution.ts';
import { isCausedByCaller } from '../call/failure-cause.ts';
import {
  type ReservedCall,
  type ReservedCallDeps,
  runReserved,
  type VoidingDeps,
  voidIfUncertain,
  voidReservation,
} from '../call/reserved-call.ts';
import { readRetainedAnswer } from '../call/retained-answer.ts';
import { AGAIN, PENDING_IDENTIFIER, settlementPending, USED_IDENTIFIER } from '../payment/payment-answers.ts';
import type { PaymentOutcome } from '../payment/payment-outcome.ts';
import { channelUnavailable, type Deposited, describeSettled, stateOf } from './channel-answers.ts';
import type { ChannelCall } from './channel-call.ts';

export interface ChargedCallDeps extends ReservedCallDeps {
  readonly ledger: Pick<LedgerClient, 'charge' | 'post' | 'void'>;
  readonly backoffice: Pick<BackofficeClient, 'getRetained'>;
  /** CAIP-2 network whose credit the ledger holds. */
  readonly network: string;
  /** The clock of the ledger. */
  readonly now: () => number;
  /** Counts a failure that the payer caused. */
  readonly countFailure: (call: ChannelCall) => void;
  readonly findLimit: FindLimit;
}

/** Why a signer has to wait whose calls failed too often. Only who has a voucher that is not public may be told. */
export type FindLimit = (call: ChannelCall) => AppError | undefined;

export interface ChargingDeps extends VoidingDeps, Pick<ChargedCallDeps, 'now'> {
  readonly ledger: Pick<LedgerClient, 'charge' | 'void'>;
}

type Reserved = Pick<ReservedCall, 'reservationId' | 'deadlineMs'>;

export interface Denied {
  readonly kind: 'denied';
  readonly state: Denial;
  readonly account: ChannelAccount;
}

/** Charge, execute, post. Nothing was changed if it is denied. @throws {AppError} */
export async function runCharged(
  deps: ChargedCallDeps,
  call: ChannelCall,
  deposited: Deposited | undefined,
): Promise<PaymentOutcome | Denied> {
  const { reservationId, deadlineMs, outcome } = await charge(deps, call);
  const { state, account } = outcome;
  if (isIdentifierDenial(state)) throw identifierFault(state);
  const limit = state === 'reserved' ? deps.findLimit(call) : undefined;
  if (limit !== undefined) {
    await voidReservation(deps, reservationId, 'cancelled');
    throw limit;
  }
  if (state !== 'reserved' && state !== 'repeated') return { kind: 'denied', state, account };
  const isRepeated = state === 'repeated';
  const body = isRepeated
    ? await readRetainedAnswer(deps.backoffice, outcome.repeatedId, call.request.requestId)
    : await execute(deps, call, { reservationId, deadlineMs });
  const { cumulativeMicroUsd } = call.payload;
  const totalMicroUsd = isRepeated ? account.chargedMicroUsd : cumulativeMicroUsd;
  // Another voucher than the charged one repeats an identifier, and is not charged.
  const isFree = totalMicroUsd !== cumulativeMicroUsd;
  const answered = { contract: account.contract, deposited, totalMicroUsd, isFree };
  const paymentResponseJson = describeAnswered(deps, call, answered);
  return { kind: 'settled', body, paymentResponseJson, isRepeated };
}

/**
 * Reserves the price of a call, or tells why not.
 * @param isNew whether the contract shows no such channel
 * @throws {AppError} PAYMENT_UNAVAILABLE
 */
export async function charge(
  deps: ChargingDeps,
  { request, payload, fingerprint, holder, identifier }: ChannelCall,
  isNew = false,
): Promise<Reserved & { readonly outcome: ChannelChargeOutcome }> {
  const { operation } = request;
  const { channelId, cumulativeMicroUsd, signature } = payload;
  const nowMs = deps.now();
  const reservationId = uuidv7({ msecs: nowMs });
  const deadlineMs = nowMs + operation.timeoutMs + ACCOUNTING_MS;
  try {
    const outcome = await deps.ledger.charge({
      reservationId,
      channelId,
      cumulativeMicroUsd,
      signature,
      amountMicroUsd: operation.priceMicroUsd,
      operation: operation.name,
      deadlineMs,
      fingerprint,
      holder,
      identifier,
      isNew,
    });
    return { reservationId, deadlineMs, outcome };
  } catch (error) {
    voidIfUncertain(deps, reservationId, error);
    throw channelUnavailable(error);
  }
}

/** Why a call is neither charged nor answered whose identifier the payer used before. */
export const identifierFault = (state: IdentifierDenial): AppError =>
  state === 'identifier_reused'
    ? new AppError('PAYMENT_REUSED', USED_IDENTIFIER)
    : settlementPending(PENDING_IDENTIFIER);

async function execute(deps: ChargedCallDeps, call: ChannelCall, reserved: Reserved): Promise<Buffer> {
  const { body, failure } = await runReserved(deps, {
    request: call.request,
    ...reserved,
    // The client sends the same voucher again: it gets the stored answer if it was charged, and otherwise a new one.
    ifUncertain: 'withhold',
    unavailable: channelUnavailable,
    pending: (cause) => settlementPending(`the result may be charged; ${AGAIN}`, cause),
  });
  if (failure === undefined) return body;
  if (isCausedByCaller(failure)) deps.countFailure(call);
  throw failure;
}

interface Answered {
  readonly contract: ChannelAccount['contract'];
  readonly deposited: Deposited | undefined;
  /** All charges of the channel. */
  readonly totalMicroUsd: bigint;
  readonly isFree: boolean;
}

function describeAnswered(
  { network }: ChargedCallDeps,
  { payload: { config, channelId }, request: { operation } }: ChannelCall,
  { contract, deposited, totalMicroUsd, isFree }: Answered,
): string {
  return describeSettled({
    payer: config.payer,
    network,
    state: stateOf(channelId, totalMicroUsd, contract),
    chargedMicroUsd: isFree ? 0n : operation.priceMicroUsd,
    sent: deposited,
  });
}
