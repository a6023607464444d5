import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { JobStateName } from '../../store/jobs-tables.ts';

/** A job as its tenant sees it. */
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
  /** Of the key that cancels. Empty: a caller inside the deployment, which may cancel any job. */
  readonly keyGroup: string;
}

export interface JobRecords {
  /** The job that was committed under the key, now or before. @throws {ServiceError} IDEMPOTENCY_KEY_REUSED */
  submit(submission: Submission): Promise<JobRecord>;
  /** @throws {ServiceError} NOT_FOUND */
  read(id: JobId): Promise<JobRecord>;
  /** Ends a job that is not at its end. @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER */
  cancel(cancellation: Cancellation): Promise<JobRecord>;
}

const COLUMNS = sql`job_id AS "jobId", state, attempts, answer,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt",
  to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "endedAt",
  error_code AS "errorCode", error_message AS "errorMessage"`;

/** The group of the key that asked for a job. A caller without a group is a group of its own. */
const OWNER = sql`coalesce(nullif(caller->>'keyGroup', ''), caller->>'keyId')`;
const ownerOf = ({ keyGroup, keyId }: Caller): string => (keyGroup === '' ? keyId : keyGroup);

export function createJobRecords(database: Database): JobRecords {
  async function insert({ caller, idempotencyKey, work }: Submission): Promise<JobRecord | undefined> {
    const { rows } = await sql<JobRecord>`
      INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work)
      VALUES (${uuidv7()}, ${caller.tenantId}, ${idempotencyKey}, ${textOf(Caller, caller)}::jsonb,
        ${textOf(Work, work)}::jsonb)
      ON CONFLICT (tenant_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`.execute(database);
    return rows[0];
  }

  async function findSame({ caller, idempotencyKey, work }: Submission): Promise<JobRecord | undefined> {
    const { rows } = await sql<JobRecord & { readonly isSame: boolean }>`
      SELECT ${COLUMNS}, work = ${textOf(Work, work)}::jsonb AND ${OWNER} = ${ownerOf(caller)} AS "isSame"
      FROM job
      WHERE tenant_id = ${caller.tenantId} AND idempotency_key = ${idempotencyKey}`.execute(database);
    const [row] = rows;
    if (row?.isSame === false) {
      throw new ServiceError(
        'IDEMPOTENCY_KEY_REUSED',
        'the idempotency key was used for other work, or by another group of keys',
      );
    }
    return row;
  }

  async function read({ tenantId, jobId }: JobId): Promise<JobRecord> {
    const { rows } = await sql<JobRecord>`
      SELECT ${COLUMNS} FROM job WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
    const [row] = rows;
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'no such job');
    return row;
  }

  async function findOwner({ tenantId, jobId }: JobId): Promise<string | undefined> {
    const { rows } = await sql<{ owner: string }>`
      SELECT ${OWNER} AS owner FROM job
      WHERE job_id = ${jobId} AND tenant_id = ${tenantId}`.execute(database);
    return rows[0]?.owner;
  }

  return {
    async submit(submission) {
      for (;;) {
        const record = (await insert(submission)) ?? (await findSame(submission));
        // None where the job that held the key was deleted in between.
        if (record !== undefined) return record;
      }
    },

    read,

    async cancel({ keyGroup, ...id }) {
      await read(id);
      if (keyGroup !== '' && (await findOwner(id)) !== keyGroup) {
        throw new ServiceError('KEY_NOT_OWNER', 'the job belongs to another key, or to another group of keys');
      }
      const { rows } = await sql<JobRecord>`
        UPDATE job SET state = 'cancelled', ended_at = clock_timestamp(), due_at = NULL, lease = NULL
        WHERE job_id = ${id.jobId} AND tenant_id = ${id.tenantId} AND ended_at IS NULL
        RETURNING ${COLUMNS}`.execute(database);
      return rows[0] ?? (await read(id));
    },
  };
}

/** Protobuf's JSON, which PostgreSQL compares whatever the order of its members. */
function textOf<T>(type: { toJSON(message: T): unknown }, message: T): string {
  return JSON.stringify(type.toJSON(message));
}
