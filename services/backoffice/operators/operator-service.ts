import type { OperatorServiceServer } from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { type CallContext, unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuid, isUuidV7 } from '../../platform/patterns.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { setCallFreeze } from '../../store/call-freeze.ts';
import type { Database } from '../../store/database.ts';
import { listActs } from '../../store/operator-acts.ts';
import { createStored } from '../../store/stored.ts';
import type { OperatorKeys } from '../contract/operator-keys.ts';
import { requireOperator } from '../contract/require-operator.ts';
import { readReason } from '../retention/reason.ts';
import type { Figures } from './figures/figures.ts';
import { toFreezeState } from './figures/freeze-state.ts';
import { findCalls } from './found-bodies.ts';
import { listJobs, retryJob } from './operator-jobs.ts';

export interface OperatorServiceOptions {
  readonly database: Database;
  readonly operatorKeys: OperatorKeys;
  readonly readFigures: () => Promise<Figures>;
  /** A job may be due. */
  readonly wakeUp: () => void;
  readonly logger: Logger;
}

const MOST_LISTED = 200;
const MAX_SUBJECT = 100;

/** `tollhouse.backoffice.v1.OperatorService`. */
export function createOperatorService(options: OperatorServiceOptions): OperatorServiceServer {
  const { database, operatorKeys, readFigures, wakeUp, logger } = options;
  const stored = createStored(logger, 'RETENTION_UNAVAILABLE');

  /** A method for holders of a key. */
  const served = <Request, Response>(handle: (request: Request, operator: string) => Promise<Response>) =>
    unary(logger, async (request: Request, { authorization }: CallContext) => {
      const operator = requireOperator(operatorKeys, authorization);
      return stored(handle(request, operator));
    });

  return {
    readFigures: served(async (_request, operator) => ({ operator, ...(await readFigures()) })),
    setCallFreeze: served(async ({ frozen, reason }, operator) =>
      toFreezeState(await setCallFreeze(database, frozen, { operator, reason: readReason(reason) })),
    ),
    listJobs: served(async ({ filter, limit }) => ({ jobs: await listJobs(database, filter, readLimit(limit)) })),
    retryJob: served(async ({ jobId, reason }, operator) => {
      if (!isUuid(jobId)) throw new ServiceError('INVALID_ARGUMENT', 'job_id is not a UUID');
      const job = await retryJob(database, jobId, { operator, reason: readReason(reason) });
      wakeUp();
      return job;
    }),
    findBodies: served(async ({ id }) => {
      if (!isUuidV7(id)) throw new ServiceError('INVALID_ARGUMENT', 'id is not a UUIDv7');
      const found = await findCalls(database, id);
      return {
        bodies: found.map(({ retainedAt, requestId, requestBytes, responseBytes, ...call }) => ({
          ...call,
          requestId: requestId ?? undefined,
          retainedAtMs: BigInt(retainedAt.getTime()),
          requestBytes: BigInt(requestBytes),
          responseBytes: BigInt(responseBytes),
        })),
      };
    }),
    listActs: served(async ({ subject, limit }) => {
      if (subject.length > MAX_SUBJECT) throw new ServiceError('INVALID_ARGUMENT', 'subject is too long');
      const found = await listActs(database, {
        subject: subject === '' ? undefined : subject,
        limit: readLimit(limit),
      });
      return { acts: found.map(({ actedAt, ...act }) => ({ ...act, actedAtMs: BigInt(actedAt.getTime()) })) };
    }),
  };
}

function readLimit(limit: number): number {
  if (limit >= 1 && limit <= MOST_LISTED) return limit;
  throw new ServiceError('INVALID_ARGUMENT', `limit must be 1 to ${MOST_LISTED}`);
}
