import { type RawBuilder, sql } from 'kysely';
import { JobFilter, type ListedJob } from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';

const ms = (column: string) => sql`coalesce(floor(extract(epoch FROM ${sql.ref(column)}) * 1000), 0)::bigint`;

const COLUMNS = sql`job_id AS "jobId", tenant_id AS "tenantId", state, work::text AS work, attempts,
  ${ms('created_at')} AS "createdAtMs", ${ms('due_at')} AS "dueAtMs", ${ms('ended_at')} AS "endedAtMs",
  coalesce(error_code, '') AS "errorCode", coalesce(error_message, '') AS "errorMessage"`;

const FILTERS: ReadonlyMap<JobFilter, RawBuilder<unknown>> = new Map([
  [JobFilter.JOB_FILTER_FAILED, sql`state = 'failed' ORDER BY ended_at DESC`],
  [JobFilter.JOB_FILTER_WAITING, sql`ended_at IS NULL AND state = 'queued' AND due_at <= now() ORDER BY due_at`],
  [JobFilter.JOB_FILTER_DELAYED, sql`ended_at IS NULL AND state = 'queued' AND due_at > now() ORDER BY due_at`],
  [JobFilter.JOB_FILTER_ACTIVE, sql`ended_at IS NULL AND state = 'running' ORDER BY due_at`],
]);

/** @throws {ServiceError} INVALID_ARGUMENT */
export async function listJobs(database: Database, filter: JobFilter, limit: number): Promise<ListedJob[]> {
  const condition = FILTERS.get(filter);
  if (condition === undefined) throw new ServiceError('INVALID_ARGUMENT', 'filter is missing or not known');
  const { rows } = await sql<ListedJob>`SELECT ${COLUMNS} FROM job WHERE ${condition} LIMIT ${limit}`.execute(database);
  return rows;
}

/**
 * Makes a job due now, and records the act with it. A failed job gets its whole budget of attempts again; its work has the
 * same idempotency key, so nothing is done twice.
 * @throws {ServiceError} NOT_FOUND, INVALID_ARGUMENT
 */
export async function retryJob(database: Database, jobId: string, by: ActBy): Promise<ListedJob> {
  return database.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('job')
      .select(['state', 'error_code'])
      .where('job_id', '=', jobId)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw new ServiceError('NOT_FOUND', 'no such job');
    const { state, error_code: errorCode } = before;
    // A running job has a worker. If the worker is gone, another one starts the job again by itself.
    if (state !== 'failed' && state !== 'queued') {
      throw new ServiceError(
        'INVALID_ARGUMENT',
        `only failed and waiting jobs can be tried again; this one is ${state}`,
      );
    }
    const { rows } = await sql<ListedJob>`
      UPDATE job SET state = 'queued', due_at = clock_timestamp(), ended_at = NULL, spent = 0, error_code = NULL,
        error_message = NULL
      WHERE job_id = ${jobId} RETURNING ${COLUMNS}`.execute(transaction);
    const detail = { state, ...(errorCode === null ? {} : { errorCode }) };
    await recordAct(transaction, { ...by, action: 'jobs.retry', subject: jobId, detail });
    return defined(rows[0]);
  });
}
