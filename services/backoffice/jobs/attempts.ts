import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { Database } from '../../store/database.ts';

/** The right to do a job's work, until its lease ends. */
export interface Attempt {
  readonly jobId: string;
  readonly lease: string;
  /** Times that the job was begun, this one included. */
  readonly attempts: number;
  /** What failures have cost so far. */
  readonly spent: number;
  readonly caller: Caller;
  /** The submission's, which its work is done under. */
  readonly idempotencyKey: string;
  readonly work: Work;
}

export type JobEnd =
  | { readonly state: 'succeeded'; readonly answer: string }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

export interface DueJob {
  readonly jobId: string;
  readonly attempts: number;
}

export interface Attempts {
  /** Begins a job that is due; undefined where it is not, or another worker is at it. */
  claim(jobId: string): Promise<Attempt | undefined>;
  /** Makes its lease begin anew. @returns false when the job is no longer this attempt's */
  renew(attempt: Attempt): Promise<boolean>;
  /** @returns false when the job is no longer this attempt's: what it brings is not taken then */
  end(attempt: Attempt, end: JobEnd): Promise<boolean>;
  /** Has the job begun again later. @returns false when it is no longer this attempt's */
  giveBack(attempt: Attempt, later: { readonly delayMs: number; readonly spent: number }): Promise<boolean>;
  /** Jobs that are due, those first that have been for the longest. */
  due(limit: number): Promise<readonly DueJob[]>;
  /** Deletes jobs that ended before that age. How many. */
  deleteEnded(options: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;
}

interface ClaimedRow {
  readonly attempts: number;
  readonly spent: number;
  readonly caller: unknown;
  readonly idempotencyKey: string;
  readonly work: unknown;
}

const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`;

/** All times are the database's, so that the clocks of the workers do not matter. */
export function createAttempts(options: { readonly database: Database; readonly leaseMs: number }): Attempts {
  const { database, leaseMs } = options;

  async function isChanged({ jobId, lease }: Attempt, change: ReturnType<typeof sql>): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE job SET ${change} WHERE job_id = ${jobId} AND lease = ${lease}`.execute(database);
    return (numAffectedRows ?? 0n) > 0n;
  }

  return {
    async claim(jobId) {
      const lease = uuidv4();
      const { rows } = await sql<ClaimedRow>`
        UPDATE job SET state = 'running', attempts = attempts + 1, lease = ${lease}, due_at = ${inMs(leaseMs)}
        WHERE job_id = (SELECT job_id FROM job WHERE job_id = ${jobId} AND ended_at IS NULL
          AND due_at <= clock_timestamp() FOR UPDATE SKIP LOCKED)
        RETURNING attempts, spent, caller, idempotency_key AS "idempotencyKey", work`.execute(database);
      const [row] = rows;
      if (row === undefined) return undefined;
      return { ...row, jobId, lease, caller: Caller.fromJSON(row.caller), work: Work.fromJSON(row.work) };
    },

    renew: (attempt) => isChanged(attempt, sql`due_at = ${inMs(leaseMs)}`),

    end(attempt, end) {
      const ended = sql`state = ${end.state}, ended_at = clock_timestamp(), due_at = NULL, lease = NULL`;
      return end.state === 'succeeded'
        ? isChanged(attempt, sql`${ended}, answer = ${end.answer}`)
        : isChanged(attempt, sql`${ended}, error_code = ${end.code}, error_message = ${end.message}`);
    },

    giveBack: (attempt, { delayMs, spent }) =>
      isChanged(attempt, sql`state = 'queued', lease = NULL, due_at = ${inMs(delayMs)}, spent = ${spent}`),

    async due(limit) {
      const { rows } = await sql<DueJob>`
        SELECT job_id AS "jobId", attempts FROM job WHERE ended_at IS NULL AND due_at <= clock_timestamp()
        ORDER BY due_at LIMIT ${limit}`.execute(database);
      return rows;
    },

    async deleteEnded({ olderThanMs, limit }) {
      const { numAffectedRows } = await sql`
        DELETE FROM job WHERE job_id IN (
          SELECT job_id FROM job WHERE ended_at < ${inMs(-olderThanMs)} ORDER BY ended_at LIMIT ${limit})`.execute(
        database,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}
