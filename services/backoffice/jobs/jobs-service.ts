import type { Selectable } from 'kysely';
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
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { KEY_ROLES } from '../../store/key-roles.ts';
import type { Tables } from '../../store/tables.ts';
import { IDEMPOTENCY_KEY } from '../../verification/contract/arguments.ts';

import type { JobId, JobRecord, JobRecords, Submission } from './job-records.ts';
import { faultOf, type WorkTypes } from './work-types.ts';

export interface JobsServiceOptions {
  readonly records: JobRecords;
  readonly workTypes: WorkTypes;
  /** A job may be due. */
  readonly wakeUp: () => void;
  readonly logger: Logger;
}

const STATES: Readonly<Record<Selectable<Tables['job']>['state'], JobState>> = {
  queued: JobState.JOB_STATE_QUEUED,
  running: JobState.JOB_STATE_RUNNING,
  succeeded: JobState.JOB_STATE_SUCCEEDED,
  failed: JobState.JOB_STATE_FAILED,
  cancelled: JobState.JOB_STATE_CANCELLED,
};
const keyPattern = new RegExp(IDEMPOTENCY_KEY);

/** `tollhouse.jobs.v1.JobsService`. */
export function createJobsService({ records, workTypes, wakeUp, logger }: JobsServiceOptions): JobsServiceServer {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the store did not answer', level: 'error' });
  const stored = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      logFailure(error);
      throw new ServiceError('JOBS_UNAVAILABLE', 'the store is not available', { cause: error });
    }
  };
  return {
    submit: unary(logger, async (request) => {
      const record = await stored(records.submit(readSubmission(request, workTypes)));
      if (record.state === 'queued') wakeUp();
      return { job: toMessage(record) };
    }),
    get: unary(logger, async (request) => ({ job: toMessage(await stored(records.read(requireId(request)))) })),
    cancel: unary(logger, async (request) => {
      const { keyGroup } = request;
      return { job: toMessage(await stored(records.cancel({ ...requireId(request), keyGroup }))) };
    }),
  };
}

function readSubmission(request: SubmitRequest, workTypes: WorkTypes): Submission {
  const { idempotencyKey, work } = request;
  if (!keyPattern.test(idempotencyKey)) {
    throw new ServiceError('INVALID_ARGUMENT', 'idempotency_key is not 1 to 255 printable ASCII characters');
  }
  if (work?.operation === undefined) throw new ServiceError('INVALID_ARGUMENT', 'work is missing or not known');
  const fault = faultOf(workTypes, work.operation);
  if (fault !== undefined) throw new ServiceError('INVALID_ARGUMENT', fault);
  return { caller: requireCaller(request.caller), idempotencyKey, work };
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
