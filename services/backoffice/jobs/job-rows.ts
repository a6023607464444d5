import { type Selectable, sql } from 'kysely';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { LockSession } from '../../store/recurring/lock-session.ts';
import type { Tables } from '../../store/tables.ts';

export type JobStateName = Selectable<Tables['job']>['state'];

export interface JobRecord {
  readonly jobId: string;
  readonly state: JobStateName;
  readonly attempts: number;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly answer: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** The group of the key that submitted the job. A key without a group is a group of its own. */
  readonly owner: string;
}

export interface Submission {
  readonly caller: Caller;
  /** The caller's own key. The work uses it too: requests with the same key have the same answer. */
  readonly idempotencyKey: string;
  readonly executionId: string;
}

export interface JobId {
  readonly tenantId: string;
  readonly jobId: string;
}

/** One attempt to do a job's work. */
export interface Attempt {
  readonly jobId: string;
  /** Number of attempts so far, including this one. It identifies the attempt. */
  readonly attempts: number;
  /** Part of the failure budget that is spent. */
  readonly spent: number;
  /** Undefined if the row cannot be read. */
  readonly caller: Caller | undefined;
  readonly idempotencyKey: string;
  readonly executionId: string;
}

interface JobError {
  readonly code: string;
  readonly message: string;
}

interface Retry {
  readonly delayMs: number;
  readonly spent: number;
}

/** All copies together run fewer jobs, so a job that nobody works on is among those found. */
const MAX_FOUND = 200;
const DELETE_BATCH = 1000;

const OWNER = sql`coalesce(nullif(caller->>'keyGroup', ''), caller->>'keyId')`;
const ownerOf = ({ keyGroup, keyId }: Caller): string => (keyGroup === '' ? keyId : keyGroup);
const COLUMNS = sql`job_id AS "jobId", state, attempts, answer,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt",
  to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "endedAt",
  error_code AS "errorCode", error_message AS "errorMessage", ${OWNER} AS owner`;
/** Work of any other form was submitted by a later release, and is left to its processes. */
const IS_KNOWN_WORK = sql`jsonb_typeof(work #> '{verifyExecution,executionId}') = 'string'`;
const START = `
  UPDATE job SET state = 'running', attempts = attempts + 1, due_at = clock_timestamp()
  WHERE job_id = $1 AND ended_at IS NULL AND due_at <= clock_timestamp()
  RETURNING job_id AS "jobId", attempts, spent, caller, idempotency_key AS "idempotencyKey",
    work #>> '{verifyExecution,executionId}' AS "executionId"`;

const callers = Compile(
  Type.Unsafe<Caller>(
    Type.Object({
      tenantId: Type.String(),
      keyId: Type.String(),
      role: Type.Integer(),
      scopes: Type.Array(Type.String()),
      keyGroup: Type.String(),
    }),
  ),
);

/** What a job does, as its row has it, and as operators read it. */
const workText = (executionId: string): string => JSON.stringify({ verifyExecution: { executionId } });
const endedAs = (state: JobStateName) => sql`state = ${state}, ended_at = clock_timestamp(), due_at = NULL`;
/** Times come from the clock of the database, so that the clocks of the workers do not matter. */
const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`;

/** Stores a job, or finds the one with the same key. @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
export async function submitJob(database: Database, submission: Submission): Promise<JobRecord> {
  for (;;) {
    const record = (await insert(database, submission)) ?? (await findSame(database, submission));
    // Both find nothing if the job with the key was deleted in between.
    if (record !== undefined) return record;
  }
}

async function insert(database: Database, submission: Submission): Promise<JobRecord | undefined> {
  const { caller, idempotencyKey, executionId } = submission;
  const { rows } = await sql<JobRecord>`
    INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work)
    VALUES (${uuidv7()}, ${caller.tenantId}, ${idempotencyKey}, ${JSON.stringify(caller)}::jsonb,
      ${workText(executionId)}::jsonb)
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`.execute(database);
  return rows[0];
}

/** @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
async function findSame(database: Database, submission: Submission): Promise<JobRecord | undefined> {
  const { caller, idempotencyKey, executionId } = submission;
  const { rows } = await sql<JobRecord & { readonly isSameWork: boolean }>`
    SELECT ${COLUMNS}, work = ${workText(executionId)}::jsonb AS "isSameWork" FROM job
    WHERE tenant_id = ${caller.tenantId} AND idempotency_key = ${idempotencyKey}`.execute(database);
  const [row] = rows;
  if (row === undefined || (row.isSameWork && row.owner === ownerOf(caller))) return row;
  throw new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'the idempotency key was used for other work, or by another group of keys',
  );
}

/** @throws {ServiceError} NOT_FOUND */
export async function readJob(database: Database, { tenantId, jobId }: JobId): Promise<JobRecord> {
  const { rows } = await sql<JobRecord>`
    SELECT ${COLUMNS} FROM job WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'no such job');
  return row;
}

/**
 * Cancels a job that has not ended.
 * @param keyGroup group of the key that cancels; empty for a caller inside the deployment, which may cancel any job
 * @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER
 */
export async function cancelJob(database: Database, id: JobId, keyGroup: string): Promise<JobRecord> {
  const { owner } = await readJob(database, id);
  if (keyGroup !== '' && owner !== keyGroup) {
    throw new ServiceError('KEY_NOT_OWNER', 'the job belongs to another key, or to another group of keys');
  }
  const { rows } = await sql<JobRecord>`
    UPDATE job SET ${endedAs('cancelled')}
    WHERE job_id = ${id.jobId} AND tenant_id = ${id.tenantId} AND ended_at IS NULL
    RETURNING ${COLUMNS}`.execute(database);
  // A job that has ended stays as it is.
  return rows[0] ?? (await readJob(database, id));
}

/** Finds jobs that are due, and running ones, whose workers may have died. The longest overdue is first. */
export async function findDue(database: Database, exceptIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ jobId: string }>`
    SELECT job_id AS "jobId" FROM job
    WHERE ended_at IS NULL AND due_at <= clock_timestamp() AND ${IS_KNOWN_WORK}
      AND job_id <> ALL(${exceptIds}::uuid[])
    ORDER BY due_at LIMIT ${MAX_FOUND}`.execute(database);
  return rows.map(({ jobId }) => jobId);
}

/** Starts an attempt if the job is due. The session must hold the job's lock; one that has lost it can start nothing. */
export async function startAttempt(session: LockSession, jobId: string): Promise<Attempt | undefined> {
  const [row] = await session.query<Attempt & { readonly caller: unknown }>(START, [jobId]);
  if (row === undefined) return undefined;
  return { ...row, caller: callers.Check(row.caller) ? row.caller : undefined };
}

/** Finds the current attempts of running jobs. @returns their numbers by job id */
export async function findRunning(database: Database, jobIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ jobId: string; attempts: number }>`
    SELECT job_id AS "jobId", attempts FROM job
    WHERE job_id = ANY(${jobIds}::uuid[]) AND state = 'running'`.execute(database);
  return new Map(rows.map(({ jobId, attempts }) => [jobId, attempts]));
}

/** Stores the answer of a job. @returns false if the attempt is no longer current: the answer is dropped */
export const succeed = (database: Database, attempt: Attempt, answer: string): Promise<boolean> =>
  isChanged(database, attempt, sql`${endedAs('succeeded')}, answer = ${answer}`);

/** Ends a job without an answer, if the attempt is current. */
export const fail = (database: Database, attempt: Attempt, { code, message }: JobError): Promise<boolean> =>
  isChanged(database, attempt, sql`${endedAs('failed')}, error_code = ${code}, error_message = ${message}`);

/** Makes a job due again later, if the attempt is current. */
export const giveBack = (database: Database, attempt: Attempt, { delayMs, spent }: Retry): Promise<boolean> =>
  isChanged(database, attempt, sql`state = 'queued', due_at = ${inMs(delayMs)}, spent = ${spent}`);

async function isChanged(database: Database, attempt: Attempt, change: ReturnType<typeof sql>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE job SET ${change}
    WHERE job_id = ${attempt.jobId} AND attempts = ${attempt.attempts} AND state = 'running'`.execute(database);
  return defined(numAffectedRows) > 0n;
}

/** Deletes jobs that ended longer ago than `olderThanMs`. */
export async function deleteEndedJobs(database: Database, olderThanMs: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      DELETE FROM job WHERE job_id IN (
        SELECT job_id FROM job WHERE ended_at < ${inMs(-olderThanMs)} ORDER BY ended_at LIMIT ${DELETE_BATCH})`.execute(
      database,
    );
    if (defined(numAffectedRows) < DELETE_BATCH) return;
  }
}
