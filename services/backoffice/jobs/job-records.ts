import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { workText } from './stored-job.ts';

/** The part of a job that its tenant may see. */
export interface JobRecord {
  readonly jobId: string;
  readonly state: Selectable<Tables['job']>['state'];
  readonly attempts: number;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly answer: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

export interface Submission {
  readonly caller: Caller;
  readonly idempotencyKey: string;
  readonly work: Work;
}

export interface JobId {
  readonly tenantId: string;
  readonly jobId: string;
}

export interface Cancellation extends JobId {
  /** Group of the key that cancels. Empty: a caller inside the deployment, which may cancel any job. */
  readonly keyGroup: string;
}

export interface JobRecords {
  /** Stores a job, or finds the one with the same key. @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
  submit(submission: Submission): Promise<JobRecord>;
  /** @throws {ServiceError} NOT_FOUND */
  read(id: JobId): Promise<JobRecord>;
  /** Cancels a job that has not ended. @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER */
  cancel(cancellation: Cancellation): Promise<JobRecord>;
}

const COLUMNS = sql`job_id AS "jobId", state, attempts, answer,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt",
  to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "endedAt",
  error_code AS "errorCode", error_message AS "errorMessage"`;

/** The group of the key that submitted a job. A caller without a group is a group of its own. */
const OWNER = sql`coalesce(nullif(caller->>'keyGroup', ''), caller->>'keyId')`;
const ownerOf = ({ keyGroup, keyId }: Caller): string => (keyGroup === '' ? keyId : keyGroup);

export function createJobRecords(database: Database): JobRecords {
  return {
    async submit(submission) {
      for (;;) {
        const record = (await insert(database, submission)) ?? (await findSame(database, submission));
        // Both find nothing if the job with the key was deleted in between.
        if (record !== undefined) return record;
      }
    },
    read: (id) => read(database, id),
    async cancel({ keyGroup, ...id }) {
      await read(database, id);
      if (keyGroup !== '' && (await findOwner(database, id)) !== keyGroup) {
        throw new ServiceError('KEY_NOT_OWNER', 'the job belongs to another key, or to another group of keys');
      }
      // A job that has ended stays as it is.
      return (await cancel(database, id)) ?? (await read(database, id));
    },
  };
}

async function insert(database: Database, submission: Submission): Promise<JobRecord | undefined> {
  const { caller, idempotencyKey, work } = submission;
  const { rows } = await sql<JobRecord>`
    INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work)
    VALUES (${uuidv7()}, ${caller.tenantId}, ${idempotencyKey}, ${JSON.stringify(caller)}::jsonb,
      ${workText(work)}::jsonb)
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`.execute(database);
  return rows[0];
}

/** @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
async function findSame(database: Database, submission: Submission): Promise<JobRecord | undefined> {
  const { caller, idempotencyKey, work } = submission;
  const { rows } = await sql<JobRecord & { readonly isSame: boolean }>`
    SELECT ${COLUMNS}, work = ${workText(work)}::jsonb AND ${OWNER} = ${ownerOf(caller)} AS "isSame"
    FROM job
    WHERE tenant_id = ${caller.tenantId} AND idempotency_key = ${idempotencyKey}`.execute(database);
  const [row] = rows;
  if (row === undefined || row.isSame) return row;
  throw new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'the idempotency key was used for other work, or by another group of keys',
  );
}

/** @throws {ServiceError} NOT_FOUND */
async function read(database: Database, { tenantId, jobId }: JobId): Promise<JobRecord> {
  const { rows } = await sql<JobRecord>`
    SELECT ${COLUMNS} FROM job WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'no such job');
  return row;
}

async function findOwner(database: Database, { tenantId, jobId }: JobId): Promise<string | undefined> {
  const { rows } = await sql<{ owner: string }>`
    SELECT ${OWNER} AS owner FROM job
    WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
  return rows[0]?.owner;
}

/** @returns undefined for a job that has ended */
async function cancel(database: Database, { tenantId, jobId }: JobId): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`
    UPDATE job SET state = 'cancelled', ended_at = clock_timestamp(), due_at = NULL, lease = NULL
    WHERE job_id = ${jobId} AND tenant_id = ${tenantId} AND ended_at IS NULL
    RETURNING ${COLUMNS}`.execute(database);
  return rows[0];
}
