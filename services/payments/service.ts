import { isAddress } from 'viem';
import {
  type BeginRequest,
  type CountPaymentsResponse,
  type PaymentsServiceServer,
  SettlementOutcome,
  type SettleRequest,
  type SettleResponse,
} from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { LedgerServiceReadiness } from '../ledger/contract/service-watch.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { type Caller, waitForClaim } from './claims/wait-for-claim.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { createBegin, Presentation } from './settlement/begin.ts';
import type { Settled, Settlement } from './settlement/settlement.ts';
import type { SettlingContext } from './settlement/settling-context.ts';

export interface PaymentsService extends SettlingContext {
  readonly begin: ReturnType<typeof createBegin>;
  readonly settlement: Settlement;
  readonly sandbox: Sandbox | undefined;
  readonly countPayments: () => Promise<CountPaymentsResponse>;
  /** Whether claims may be opened. */
  readonly readiness: () => LedgerServiceReadiness;
}

const {
  SETTLEMENT_OUTCOME_SETTLED,
  SETTLEMENT_OUTCOME_FAILED,
  SETTLEMENT_OUTCOME_PENDING,
  SETTLEMENT_OUTCOME_NOT_SENT,
} = SettlementOutcome;
const OUTCOMES = {
  settled: SETTLEMENT_OUTCOME_SETTLED,
  failed: SETTLEMENT_OUTCOME_FAILED,
  pending: SETTLEMENT_OUTCOME_PENDING,
  unsent: SETTLEMENT_OUTCOME_NOT_SENT,
} as const satisfies Record<Settled['kind'], SettlementOutcome>;

export function createPaymentsService(service: PaymentsService): PaymentsServiceServer {
  const { terms, claims, begin, sandbox, logger } = service;
  return {
    getTerms: unary(logger, async () => ({ ...terms })),
    begin: unary(logger, (request, caller) => begin(toPresentation(request), caller)),
    settle: unary(logger, (request, caller) => settle(service, request, caller)),
    release: unary(logger, async ({ claimId, causedByCaller }) => {
      await claims.release({ claimId }, causedByCaller);
      return {};
    }),
    getAdmission: unary(logger, async () => {
      const readiness = service.readiness();
      return readiness.ok ? {} : { refusedBecause: readiness.reason };
    }),
    countPayments: unary(logger, () => service.countPayments()),
    readChain: unary(logger, async ({ method, paramsJson }) => inSandbox(sandbox).read(method, paramsJson)),
    fund: unary(logger, async ({ address }) => {
      const { fund } = inSandbox(sandbox);
      if (!isAddress(address))
        throw new ServiceError('INVALID_ARGUMENT', 'not an address, or one with a wrong checksum');
      const { balance, transaction } = await fund(address);
      return { balance: `${balance}`, transaction };
    }),
  };
}

/** @throws {ServiceError} SANDBOX_ONLY */
function inSandbox(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox === undefined) throw new ServiceError('SANDBOX_ONLY', 'this service does not run on play money');
  return sandbox;
}

/** @throws {ServiceError} NOT_FOUND for a claim that was released or taken over: it must not be paid */
async function settle(service: PaymentsService, request: SettleRequest, caller: Caller): Promise<SettleResponse> {
  const { claims, settlement, now } = service;
  const settled = await waitForClaim({
    claims,
    caller,
    now,
    queues: [],
    attempt: async () => {
      const outcome = await settlement.attempt(request.claimId);
      return outcome === 'busy' ? 'wait' : outcome;
    },
  });
  if (settled === 'gone') throw new ServiceError('NOT_FOUND', 'no such claim');
  if (settled === undefined) return { outcome: SETTLEMENT_OUTCOME_PENDING };
  const paymentResponseJson = 'paymentResponseJson' in settled ? settled.paymentResponseJson : undefined;
  return { outcome: OUTCOMES[settled.kind], paymentResponseJson };
}

const HASH_BYTES = 32;
/** Atomic units of the asset, without a leading zero. */
const POSITIVE_AMOUNT = /^[1-9]\d{0,14}$/;

function toPresentation(request: BeginRequest): Presentation {
  const { paymentJson, requestFingerprint, offerSecretHash, paymentIdentifierHash, amount, callsFrozen } = request;
  if (!POSITIVE_AMOUNT.test(amount))
    throw new ServiceError('INVALID_ARGUMENT', 'amount is not a positive decimal number');
  return {
    paymentJson,
    amount,
    fingerprint: hexOf(requestFingerprint),
    // Protocol Buffers send empty bytes for a hash that is not given.
    offerSecretHash: offerSecretHash.length === 0 ? undefined : hexOf(offerSecretHash),
    paymentIdentifierHash: paymentIdentifierHash === undefined ? undefined : hexOf(paymentIdentifierHash),
    operationTimeoutMs: request.operationTimeoutMs,
    callsFrozen,
  };
}

function hexOf(hash: Buffer): string {
  if (hash.length !== HASH_BYTES)
    throw new ServiceError('INVALID_ARGUMENT', 'a fingerprint or hash does not have 32 bytes');
  return hash.toString('hex');
}
