import { sql } from 'kysely';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { JobStateName } from '../../store/jobs-tables.ts';
import type { LockSession } from '../../store/recurring/lock-session.ts';

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
  readonly idempotencyKey: string;
  readonly executionId: string;
}

export interface JobId {
  readonly tenantId: string;
  readonly jobId: string;
}

export interface Cancellation extends JobId {
  /** Group of the key that cancels. Empty: a caller inside the deployment, which may cancel any job. */
  readonly keyGroup: string;
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
  /** Key of the submission. The work uses it too. */
  readonly idempotencyKey: string;
  readonly executionId: string;
}

export type JobEnd =
  | { readonly state: 'succeeded'; readonly answer: string }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

export interface JobRows {
  /** Stores a job, or finds the one with the same key. @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
  submit(submission: Submission): Promise<JobRecord>;
  /** @throws {ServiceError} NOT_FOUND */
  read(id: JobId): Promise<JobRecord>;
  /** Cancels a job that has not ended. @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER */
  cancel(cancellation: Cancellation): Promise<JobRecord>;
  /** Finds jobs that are due or whose attempt may have died, the longest overdue first. */
  findDue(exceptIds: readonly string[]): Promise<readonly string[]>;
  /** Finds the current attempts of running jobs. @returns their numbers by job id */
  findRunning(jobIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Ends the job. @returns false if the attempt is no longer current: its result is dropped */
  end(attempt: Attempt, end: JobEnd): Promise<boolean>;
  /** Makes the job due again later. @returns false if the attempt is no longer current */
  giveBack(attempt: Attempt, later: { readonly delayMs: number; readonly spent: number }): Promise<boolean>;
  /** Deletes jobs that ended longer ago than `olderThanMs`. */
  deleteEnded(olderThanMs: number): Promise<void>;
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
const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`;

/**
 * Starts an attempt if the job is due. The session must hold the job's lock: a session that has lost it can start nothing.
 */
export async function startAttempt(session: LockSession, jobId: string): Promise<Attempt | undefined> {
  const [row] = await session.query<Attempt & { readonly caller: unknown }>(START, [jobId]);
  if (row === undefined) return undefined;
  return { ...row, caller: callers.Check(row.caller) ? row.caller : undefined };
}

/** All times come from the clock of the database, so that the clocks of the workers do not matter. */
export function createJobRows(database: Database): JobRows {
  async function insert({ caller, idempotencyKey, executionId }: Submission): Promise<JobRecord | undefined> {
    const { rows } = await sql<JobRecord>`
      INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work)
      VALUES (${uuidv7()}, ${caller.tenantId}, ${idempotencyKey}, ${JSON.stringify(caller)}::jsonb,
        ${workText(executionId)}::jsonb)
      ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`.execute(database);
    return rows[0];
  }

  /** @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
  async function findSame({ caller, idempotencyKey, executionId }: Submission): Promise<JobRecord | undefined> {
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

  async function read({ tenantId, jobId }: JobId): Promise<JobRecord> {
    const { rows } = await sql<JobRecord>`
      SELECT ${COLUMNS} FROM job WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
    const [row] = rows;
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'no such job');
    return row;
  }

  async function isChanged({ jobId, attempts }: Attempt, change: ReturnType<typeof sql>): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE job SET ${change}
      WHERE job_id = ${jobId} AND attempts = ${attempts} AND state = 'running'`.execute(database);
    return defined(numAffectedRows) > 0n;
  }

  return {
    async submit(submission) {
      for (;;) {
        const record = (await insert(submission)) ?? (await findSame(submission));
        // Both find nothing if the job with the key was deleted in between.
        if (record !== undefined) return record;
      }
    },

    read,

    async cancel({ keyGroup, ...id }) {
      const { owner } = await read(id);
      if (keyGroup !== '' && owner !== keyGroup) {
        throw new ServiceError('KEY_NOT_OWNER', 'the job belongs to another key, or to another group of keys');
      }
      const { rows } = await sql<JobRecord>`
        UPDATE job SET ${endedAs('cancelled')}
        WHERE job_id = ${id.jobId} AND tenant_id = ${id.tenantId} AND ended_at IS NULL
        RETURNING ${COLUMNS}`.execute(database);
      // A job that has ended stays as it is.
      return rows[0] ?? (await read(id));
    },

    async findDue(exceptIds) {
      const { rows } = await sql<{ jobId: string }>`
        SELECT job_id AS "jobId" FROM job
        WHERE ended_at IS NULL AND due_at <= clock_timestamp() AND ${IS_KNOWN_WORK}
          AND job_id <> ALL(${exceptIds}::uuid[])
        ORDER BY due_at LIMIT ${MAX_FOUND}`.execute(database);
      return rows.map(({ jobId }) => jobId);
    },

    async findRunning(jobIds) {
      const { rows } = await sql<{ jobId: string; attempts: number }>`
        SELECT job_id AS "jobId", attempts FROM job
        WHERE job_id = ANY(${jobIds}::uuid[]) AND state = 'running'`.execute(database);
      return new Map(rows.map(({ jobId, attempts }) => [jobId, attempts]));
    },

    end(attempt, end) {
      if (end.state === 'succeeded') return isChanged(attempt, sql`${endedAs(end.state)}, answer = ${end.answer}`);
      const { state, code, message } = end;
      return isChanged(attempt, sql`${endedAs(state)}, error_code = ${code}, error_message = ${message}`);
    },

    giveBack: (attempt, { delayMs, spent }) =>
      isChanged(attempt, sql`state = 'queued', due_at = ${inMs(delayMs)}, spent = ${spent}`),

    async deleteEnded(olderThanMs) {
      for (;;) {
        const { numAffectedRows } = await sql`
          DELETE FROM job WHERE job_id IN (
            SELECT job_id FROM job WHERE ended_at < ${inMs(-olderThanMs)} ORDER BY ended_at LIMIT ${DELETE_BATCH})`.execute(
          database,
        );
        if (defined(numAffectedRows) < DELETE_BATCH) return;
      }
    },
  };
}
