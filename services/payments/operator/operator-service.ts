import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import type {
  Act,
  InspectResponse,
  PaymentsOperatorServiceServer,
  ReadStandingResponse,
  RefundResponse,
} from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { findPaymentClaim, type PaymentClaim } from '../../store/payment-claims.ts';
import { decide } from '../chain/nodes.ts';
import type { Claims } from '../claims/claims.ts';
import type { Context } from '../payment/context.ts';
import { isBytes32 } from '../payment/hex.ts';
import { formatGas } from '../signer/format-gas.ts';
import type { GasReserve } from '../signer/gas-reserve.ts';
import type { OperatorDesk } from './operator-desk.ts';
import type { By } from './refund-records.ts';
import type { RefundOutcome } from './refunds.ts';
import { releaseClaim } from './release.ts';

export interface OperatorServiceContext extends Context {
  readonly claims: Claims;
  /** undefined: no chain is configured. */
  readonly desk: OperatorDesk | undefined;
  /** undefined: no account of this service pays for settlements. */
  readonly gas: GasReserve | undefined;
  readonly readStanding: () => Promise<ReadStandingResponse>;
}

export function createOperatorService(context: OperatorServiceContext): PaymentsOperatorServiceServer {
  const { logger } = context;
  return {
    inspect: unary(logger, ({ claimId }) => inspect(context, claimId)),
    releaseClaim: unary(logger, async ({ claimId, act }) => {
      const by = readAct(act);
      const desk = deskOf(context);
      const { kind, reason } = await answering(releaseClaim(desk, await findClaim(context, claimId), by));
      return { outcome: { $case: kind, value: reason } };
    }),
    refund: unary(logger, async ({ claimId, act, transaction, isAgain, isDry }) => {
      const by = readAct(act);
      const { refunds } = deskOf(context);
      const claim = await findClaim(context, claimId);
      return toResponse(
        await answering(
          transaction === undefined
            ? refunds.open(claim, { by, isAgain, isDry })
            : refunds.record(claim, readTransaction(transaction), by),
        ),
      );
    }),
    reconcile: unary(logger, () => answering(deskOf(context).reconcile())),
    readGas: unary(logger, async () => {
      if (context.gas === undefined) return { gas: undefined };
      return { gas: formatGas(await answering(context.gas.read())) };
    }),
    readStanding: unary(logger, () => context.readStanding()),
  };
}

/** @throws {ServiceError} while no chain is configured */
function deskOf({ desk }: OperatorServiceContext): OperatorDesk {
  if (desk !== undefined) return desk;
  throw new ServiceError('PAYMENT_UNAVAILABLE', 'no chain is configured, so nothing can be proven: set X402_RPC_URL');
}

async function inspect(context: OperatorServiceContext, claimId: string): Promise<InspectResponse> {
  const { chain, blocks } = deskOf(context);
  await findClaim(context, claimId);
  const claim = await context.claims.findById(claimId);
  if (claim === undefined) throw new ServiceError('NOT_FOUND', 'no such claim on this network');
  const [state, { latest }] = await answering(decide(() => Promise.all([chain.stateOf(claim), blocks.readHead()])));
  const settled = state.kind === 'settled' ? state : undefined;
  return {
    authorization: state.kind,
    reason: state.kind === 'void' ? state.reason : undefined,
    transaction: settled?.transaction,
    blockNumber: settled?.block.number,
    blockHash: settled?.block.hash,
    latestBlock: latest.number,
    confirmations: blocks.confirmations,
    claimState: claim.state,
  };
}

const Uuid = Compile(Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }));

async function findClaim(
  { database, network, claims }: OperatorServiceContext,
  claimId: string,
): Promise<PaymentClaim> {
  if (!Uuid.Check(claimId)) throw new ServiceError('INVALID_ARGUMENT', 'claim_id is not a UUID');
  const claim = await findPaymentClaim(database, claimId);
  if (claim?.network === network) return claim;
  if (claim !== undefined) {
    throw new ServiceError('INVALID_ARGUMENT', `the claim is on ${claim.network}; this service runs on ${network}`);
  }
  const executing = await claims.findById(claimId);
  if (executing === undefined) throw new ServiceError('NOT_FOUND', 'no such claim');
  throw new ServiceError('NOT_FOUND', 'its result is not retained: nothing was paid, and its claim ends by itself');
}

function readAct(act: Act | undefined): By {
  if (act === undefined || act.operator === '' || act.reason.trim() === '') {
    throw new ServiceError('INVALID_ARGUMENT', 'the operator or the reason is missing');
  }
  return { operator: act.operator, reason: act.reason };
}

function readTransaction(text: string): Hex {
  if (isBytes32(text)) return text;
  throw new ServiceError('INVALID_ARGUMENT', 'transaction is not the hash of a transaction');
}

/** Tells the operator which server does not answer. */
async function answering<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const [line] = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
    throw new ServiceError('PAYMENT_UNAVAILABLE', `it is not certain what happened: ${line}`, { cause });
  }
}

function toResponse(outcome: RefundOutcome): RefundResponse {
  switch (outcome.kind) {
    case 'recorded':
      return { outcome: { $case: 'recorded', value: outcome.transaction } };
    case 'refused':
      return { outcome: { $case: 'refused', value: outcome.reason } };
    case 'needed': {
      const { network, asset, payee: from, payer: to, amount } = outcome.transfer;
      return { outcome: { $case: 'needed', value: { network, asset, from, to, amount: `${amount}` } } };
    }
  }
}
