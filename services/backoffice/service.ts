import {
  Access,
  type BackofficeServiceServer,
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
import type { RetainedCall } from './retention/retained-call.ts';
import { readRetainedClaim } from './retention/retained-claims.ts';
import { type Retention, SupersededError } from './retention/retention.ts';
import { dayOf } from './retention/retention-days.ts';

export interface BackofficeServiceOptions {
  readonly retention: Retention;
  readonly readCallFreeze: () => Promise<Pick<CallFreeze, 'isFrozen'>>;
  readonly logger: Logger;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
/** Failures that an operator must know of. */
const UNREADABLE: ReadonlySet<string> = new Set(['RETENTION_KEY_MISSING', 'RETAINED_BODY_UNREADABLE']);

/** `tollhouse.backoffice.v1.BackofficeService`. */
export function createBackofficeService({
  retention,
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
    readCallFreeze: unary(logger, async () => ({ frozen: (await stored(readCallFreeze())).isFrozen })),
  };
}

function readCall(request: RetainRequest, now: number): RetainedCall {
  if (request.access !== Access.ACCESS_PAYMENT) throw new ServiceError('INVALID_ARGUMENT', 'access is not a payment');
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
  const claim = readRetainedClaim(request.claim);
  return { recordId, requestId, operation, requestBody, responseBody, dueAt, claim };
}
