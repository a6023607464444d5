import {
  type Job,
  JobState,
  type JobsServiceServer,
  type SubmitRequest,
} from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuid } from '../../platform/patterns.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { KEY_ROLES } from '../../store/key-roles.ts';
import { createStored } from '../../store/stored.ts';
import { IDEMPOTENCY_KEY } from '../../verification/contract/arguments.ts';
import {
  cancelJob,
  type JobId,
  type JobRecord,
  type JobStateName,
  readJob,
  type Submission,
  submitJob,
} from './job-rows.ts';

export interface JobsServiceOptions {
  readonly database: Database;
  /** A job may be due. */
  readonly wakeUp: () => void;
  readonly logger: Logger;
}

const STATES: Readonly<Record<JobStateName, JobState>> = {
  queued: JobState.JOB_STATE_QUEUED,
  running: JobState.JOB_STATE_RUNNING,
  succeeded: JobState.JOB_STATE_SUCCEEDED,
  failed: JobState.JOB_STATE_FAILED,
  cancelled: JobState.JOB_STATE_CANCELLED,
};
const keyPattern = new RegExp(IDEMPOTENCY_KEY);

/** `tollhouse.jobs.v1.JobsService`. */
export function createJobsService({ database, wakeUp, logger }: JobsServiceOptions): JobsServiceServer {
  const stored = createStored(logger, 'JOBS_UNAVAILABLE');
  return {
    submit: unary(logger, async (request) => {
      const record = await stored(submitJob(database, readSubmission(request)));
      if (record.state === 'queued') wakeUp();
      return toMessage(record);
    }),
    get: unary(logger, async (request) => toMessage(await stored(readJob(database, requireId(request))))),
    cancel: unary(logger, async (request) =>
      toMessage(await stored(cancelJob(database, requireId(request), request.keyGroup))),
    ),
  };
}

function readSubmission(request: SubmitRequest): Submission {
  const { idempotencyKey, work } = request;
  if (!keyPattern.test(idempotencyKey)) {
    throw new ServiceError('INVALID_ARGUMENT', 'idempotency_key is not 1 to 255 printable ASCII characters');
  }
  if (work?.operation === undefined) throw new ServiceError('INVALID_ARGUMENT', 'work is missing or not known');
  const { executionId } = work.operation.value;
  if (!isUuid(executionId)) throw new ServiceError('INVALID_ARGUMENT', 'execution_id is not a UUID');
  return { caller: requireCaller(request.caller), idempotencyKey, executionId };
}

function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined || !isUuid(caller.tenantId) || !isUuid(caller.keyId) || !KEY_ROLES.has(caller.role)) {
    throw new ServiceError('INVALID_ARGUMENT', 'caller is missing or incomplete');
  }
  return caller;
}

function requireId({ tenantId, jobId }: JobId): JobId {
  if (!isUuid(tenantId)) throw new ServiceError('INVALID_ARGUMENT', 'tenant_id is not a UUID');
  if (!isUuid(jobId)) throw new ServiceError('INVALID_ARGUMENT', 'job_id is not a UUID');
  return { tenantId, jobId };
}

/** Protocol Buffers have an empty text where a job has no value yet. */
function toMessage(record: JobRecord): Job {
  return {
    jobId: record.jobId,
    state: STATES[record.state],
    attempts: record.attempts,
    createdAt: record.createdAt,
    endedAt: record.endedAt ?? '',
    answer: record.answer ?? '',
    errorCode: record.errorCode ?? '',
    errorMessage: record.errorMessage ?? '',
  };
}
