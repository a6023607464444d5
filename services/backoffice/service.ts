import {
  Access,
  type BackofficeServiceServer,
  type LedgerPosition,
  type ReservedTrial,
  type RetainBatchesRequest,
  type RetainBatchesResponse,
  type RetainRequest,
  type RetainResponse,
} from '../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { bulkStream, outcomesOf } from '../platform/grpc/bulk-stream.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { isUuidV7 } from '../platform/patterns.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { CallFreeze } from '../store/call-freeze.ts';
import { DatabaseRestoredError } from '../store/database-identity.ts';
import type { AccessKind } from '../store/retention-tables.ts';
import type { JournalLag } from './journal/journal-lag.ts';
import { readChannelCharge } from './retention/channel-charge.ts';
import type { RetainedCall } from './retention/retained-call.ts';
import { readRetainedClaim } from './retention/retained-claims.ts';
import { OutdatedTrialError, type Retention, SupersededError } from './retention/retention.ts';
import { dayOf } from './retention/retention-days.ts';

export interface BackofficeServiceOptions {
  readonly retention: Retention;
  /** Undefined until the ledger is open. */
  readonly readJournalLag: () => Promise<JournalLag> | undefined;
  readonly readCallFreeze: () => Promise<Pick<CallFreeze, 'isFrozen'>>;
  readonly logger: Logger;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
/** As the gateway normalizes them. */
const ADDRESS = /^0x[0-9a-f]{40}$/;
const NONCE = /^[0-9a-f]{32}$/;
/** Failures that an operator must know of. */
const UNREADABLE: ReadonlySet<string> = new Set(['RETENTION_KEY_MISSING', 'RETAINED_BODY_UNREADABLE']);
const ACCESS_KINDS = new Map<Access, AccessKind>([
  [Access.ACCESS_TRIAL, 'trial'],
  [Access.ACCESS_PAYMENT, 'payment'],
  [Access.ACCESS_CHANNEL, 'channel'],
]);

/** `tollhouse.backoffice.v1.BackofficeService`. */
export function createBackofficeService({
  retention,
  readJournalLag,
  readCallFreeze,
  logger,
  now,
}: BackofficeServiceOptions): BackofficeServiceServer {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the store of retained bodies failed', level: 'error' });
  const stored = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof SupersededError) {
        throw new ServiceError('ALREADY_EXISTS', 'another execution of this payment is retained', { cause: error });
      }
      if (error instanceof OutdatedTrialError) {
        throw new ServiceError('RETENTION_UNAVAILABLE', 'the ledger was restored since the reservation', {
          cause: error,
        });
      }
      if (error instanceof DatabaseRestoredError) {
        throw new ServiceError('DATABASE_RESTORED', error.message, { cause: error });
      }
      if (error instanceof ServiceError) {
        if (UNREADABLE.has(error.code)) logFailure(error);
        throw error;
      }
      logFailure(error);
      throw new ServiceError('RETENTION_UNAVAILABLE', 'the store is not available', { cause: error });
    }
  };
  const retain = async (request: RetainRequest): Promise<RetainResponse> => {
    await stored(retention.retain(readCall(request, now())));
    return {};
  };
  return {
    retain: unary(logger, retain),
    retainBatches: bulkStream<RetainBatchesRequest, RetainBatchesResponse>({
      maxUnderWay: 1,
      answer: async ({ calls }) => ({ outcomes: await outcomesOf(calls, retain, logger) }),
      logger,
    }),
    getRetained: unary(logger, async ({ recordId }) => {
      if (!isUuidV7(recordId)) throw new ServiceError('INVALID_ARGUMENT', 'record_id is not a UUIDv7');
      const record = await stored(retention.read(recordId));
      if (record === undefined) throw new ServiceError('NOT_FOUND', 'no such record');
      return record;
    }),
    attestLedger: unary(logger, async ({ position }) => {
      const known = await stored(retention.attest(requirePosition(position)));
      return { known, databaseTimeMs: await stored(retention.databaseTimeMs()) };
    }),
    readJournalLag: unary(logger, async () => {
      const reading = readJournalLag();
      if (reading === undefined) throw new ServiceError('RETENTION_UNAVAILABLE', 'the ledger is not open yet');
      const { entries, milliseconds } = await stored(reading);
      return { entries, milliseconds: BigInt(milliseconds) };
    }),
    readCallFreeze: unary(logger, async () => ({ frozen: (await stored(readCallFreeze())).isFrozen })),
  };
}

function readCall(request: RetainRequest, now: number): RetainedCall {
  const access = ACCESS_KINDS.get(request.access);
  if (access === undefined) throw new ServiceError('INVALID_ARGUMENT', 'access is missing');
  if (!isUuidV7(request.recordId)) throw new ServiceError('INVALID_ARGUMENT', 'record_id is not a UUIDv7');
  // Partitions exist only for the days around today. A record of another day would fail its whole batch.
  if (Math.abs(Date.parse(dayOf(request.recordId)) - now) > 2 * DAY_MS) {
    throw new ServiceError('INVALID_ARGUMENT', 'record_id is not of these days');
  }
  const dueAt = new Date(Number(request.dueAtMs));
  if (Number.isNaN(dueAt.getTime())) throw new ServiceError('INVALID_ARGUMENT', 'due_at_ms is not a time');
  const { recordId, requestId, operation, requestBody, responseBody } = request;
  if (requestId !== undefined && !isUuidV7(requestId)) {
    throw new ServiceError('INVALID_ARGUMENT', 'request_id is not a UUIDv7');
  }
  const ledgerPosition = request.ledgerPosition === undefined ? undefined : requirePosition(request.ledgerPosition);
  const claim = access === 'payment' ? readRetainedClaim(request.claim) : undefined;
  const charge = access === 'channel' ? readChannelCharge(request.channelCharge) : undefined;
  const reservedTrial = access === 'trial' ? readReservedTrial(request.reservedTrial) : charge?.reserved;
  if (charge !== undefined && ledgerPosition === undefined) {
    throw new ServiceError('INVALID_ARGUMENT', 'ledger_position is missing');
  }
  return {
    recordId,
    requestId,
    access,
    operation,
    requestBody,
    responseBody,
    dueAt,
    ledgerPosition,
    reservedTrial,
    voucher: charge?.voucher,
    claim,
  };
}

/** Gateways of earlier releases do not send it. */
function readReservedTrial(trial: ReservedTrial | undefined): ReservedTrial | undefined {
  if (trial === undefined) return undefined;
  const { wallet, nonce, amountMicroUsd } = trial;
  if (!ADDRESS.test(wallet) || !NONCE.test(nonce) || amountMicroUsd === 0n) {
    throw new ServiceError('INVALID_ARGUMENT', 'reserved_trial is not whole');
  }
  return trial;
}

function requirePosition(position: LedgerPosition | undefined): LedgerPosition {
  if (position === undefined || position.network === '' || position.epoch === '') {
    throw new ServiceError('INVALID_ARGUMENT', 'position is missing or not whole');
  }
  return position;
}
