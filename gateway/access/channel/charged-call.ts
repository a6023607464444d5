import { v7 as uuidv7 } from 'uuid';
import { Access } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import type { ContractChannel, DepositResponse_Deposited } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import type {
  ChannelAccount,
  ChannelDenial,
  ChannelLedger,
  ChargeOutcome,
} from '../../../services/ledger/contract/channels.ts';
import { LedgerUnavailableError } from '../../../services/ledger/contract/ledger.ts';
import type { AppError } from '../../errors/app-error.ts';
import { ACCOUNTING_MS } from '../call/execution.ts';
import { isCausedByCaller } from '../call/failure-cause.ts';
import { type ReservedCallDeps, resolveReservation, runReserved } from '../call/reserved-call.ts';
import { readRetainedAnswer } from '../call/retained-answer.ts';
import { encodeResponse, type PaymentOutcome } from '../payment/payment-outcome.ts';
import { channelUnavailable, describeSettled, stateOf } from './channel-answers.ts';
import type { ChannelCall } from './channel-call.ts';
import type { ChannelMirror } from './channel-mirror.ts';

export interface ChargedCallDeps extends ReservedCallDeps {
  readonly ledger: ReservedCallDeps['ledger'] & Pick<ChannelLedger, 'charge'>;
  readonly backoffice: Pick<BackofficeClient, 'getRetained'>;
  readonly mirror: ChannelMirror;
  /** CAIP-2 network whose credit the ledger holds. */
  readonly network: string;
  /** The clock of the ledger. */
  readonly now: () => number;
  /** Counts a failure that the payer caused. */
  readonly countFailure: (call: ChannelCall) => void;
}

export type ChargingDeps = Pick<ChargedCallDeps, 'ledger' | 'now' | 'logger'>;

/** A deposit that was made with this call. */
export type Deposited = Pick<DepositResponse_Deposited, 'transaction' | 'amount'>;

export interface Denied {
  readonly kind: 'denied';
  readonly state: ChannelDenial;
  readonly account: ChannelAccount;
}

/** Charge, execute, retain, post. Nothing was changed if it is denied. @throws {AppError} */
export async function runCharged(
  deps: ChargedCallDeps,
  call: ChannelCall,
  deposited: Deposited | undefined,
): Promise<PaymentOutcome | Denied> {
  const attempt = newAttempt(deps, call);
  const outcome = await charge(deps, call, attempt);
  const { state, account } = outcome;
  if (state !== 'reserved' && state !== 'repeated') return { kind: 'denied', state, account };
  // The contract is asked, if it must be, while the operation runs.
  const mirrored = deps.mirror.read(call.payload, account.fundedMicroUsd);
  const body =
    state === 'repeated'
      ? await readRetainedAnswer(deps.backoffice, outcome.reservationId, call.request.requestId)
      : await execute(deps, call, { ...attempt, outcome, deposited, mirrored });
  return { kind: 'settled', body, paymentResponseJson: describe(deps, call, { mirrored: await mirrored, deposited }) };
}

interface Attempt {
  readonly reservationId: string;
  readonly deadlineMs: number;
}

function newAttempt({ now }: Pick<ChargedCallDeps, 'now'>, { request }: ChannelCall): Attempt {
  const nowMs = now();
  const deadlineMs = nowMs + request.operation.timeoutMs + ACCOUNTING_MS;
  return { reservationId: uuidv7({ msecs: nowMs }), deadlineMs };
}

/** Whether the latest voucher was charged for this request. Asking charges nothing: that voucher is used. */
export async function isRepeated(deps: ChargingDeps, call: ChannelCall): Promise<boolean> {
  return (await charge(deps, call, newAttempt(deps, call))).state === 'repeated';
}

async function charge(
  deps: ChargingDeps,
  { request, payload, fingerprint, holder }: ChannelCall,
  { reservationId, deadlineMs }: Attempt,
): Promise<ChargeOutcome> {
  const { operation } = request;
  try {
    return await deps.ledger.charge({
      reservationId,
      channelId: payload.channelId,
      cumulativeMicroUsd: payload.cumulativeMicroUsd,
      signature: payload.signature,
      amountMicroUsd: operation.priceMicroUsd,
      operation: operation.name,
      deadlineMs,
      fingerprint,
      ...(holder === undefined ? {} : { holder }),
    });
  } catch (error) {
    // The credit may be reserved or not. If it is, this returns it.
    if (error instanceof LedgerUnavailableError && error.code === 'uncertain') {
      void resolveReservation(deps, reservationId, 'cancelled');
    }
    throw channelUnavailable(error);
  }
}

interface Reserved extends Attempt {
  readonly outcome: Extract<ChargeOutcome, { state: 'reserved' }>;
  readonly deposited: Deposited | undefined;
  readonly mirrored: Promise<ContractChannel | undefined>;
}

async function execute(
  deps: ChargedCallDeps,
  call: ChannelCall,
  { reservationId, deadlineMs, outcome, deposited, mirrored }: Reserved,
): Promise<Buffer> {
  const { request, payload, fingerprint, holder } = call;
  const channelCharge = {
    channelId: payload.channelId,
    cumulativeMicroUsd: payload.cumulativeMicroUsd,
    amountMicroUsd: request.operation.priceMicroUsd,
    signature: Buffer.from(payload.signature.slice(2), 'hex'),
    fingerprint: Buffer.from(fingerprint, 'hex'),
    holder: holder === undefined ? Buffer.alloc(0) : Buffer.from(holder, 'hex'),
  };
  const { body, failure, resolution } = await runReserved(deps, {
    request,
    retainAs: {
      access: Access.ACCESS_CHANNEL,
      recordId: reservationId,
      deadlineMs,
      ledgerPosition: { network: deps.network, ...outcome.position },
      channelCharge,
    },
    unavailable: channelUnavailable,
  });
  if (failure === undefined) return body;
  if (isCausedByCaller(failure)) deps.countFailure(call);
  const isReturned = resolution?.state === 'voided';
  if (deposited === undefined || !isReturned) throw failure;
  throw withDeposit(failure, describe(deps, call, { mirrored: await mirrored, deposited, isFree: true }));
}

/** A client learns only from a payment response that its deposit was made, whatever became of the call. */
const withDeposit = (failure: AppError, paymentResponseJson: string): AppError =>
  failure.with({ 'payment-response': encodeResponse(paymentResponseJson) });

interface Answered {
  readonly mirrored: ContractChannel | undefined;
  readonly deposited: Deposited | undefined;
  readonly isFree?: boolean;
}

function describe(
  { network }: ChargedCallDeps,
  { payload: { config, channelId, cumulativeMicroUsd }, request: { operation } }: ChannelCall,
  { mirrored, deposited, isFree = false }: Answered,
): string {
  const before = cumulativeMicroUsd - operation.priceMicroUsd;
  return describeSettled({
    payer: config.payer,
    network,
    state: stateOf(channelId, isFree ? before : cumulativeMicroUsd, mirrored),
    chargedMicroUsd: isFree ? 0n : operation.priceMicroUsd,
    sent: deposited,
  });
}
