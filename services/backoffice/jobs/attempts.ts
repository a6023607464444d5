import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Database } from '../../store/database.ts';
import { readStoredJob } from './stored-job.ts';

/** One attempt to do a job's work. It may continue until its lease ends. */
export interface Attempt {
  readonly jobId: string;
  readonly lease: string;
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  /** Part of the failure budget that is spent. */
  readonly spent: number;
  readonly caller: Caller;
  /** Key of the submission. The work uses it too. */
  readonly idempotencyKey: string;
  readonly work: Work;
}

export type JobEnd =
  | { readonly state: 'succeeded'; readonly answer: string }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

export interface Attempts {
  /** Starts the job that is longest overdue. @returns undefined if none is due that no other worker starts now */
  startNext(): Promise<Attempt | undefined>;
  /** Extends the lease. @returns false when the attempt has lost the job */
  renew(attempt: Attempt): Promise<boolean>;
  /** Ends the job. @returns false when the attempt has lost the job: then its result is dropped */
  end(attempt: Attempt, end: JobEnd): Promise<boolean>;
  /** Makes the job due again later. @returns false when the attempt has lost the job */
  giveBack(attempt: Attempt, later: { readonly delayMs: number; readonly spent: number }): Promise<boolean>;
  /** Deletes jobs that ended longer ago than `olderThanMs`. @returns their number */
  deleteEnded(options: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;
}

interface StartedRow {
  readonly jobId: string;
  readonly attempts: number;
  readonly spent: number;
  readonly caller: unknown;
  readonly idempotencyKey: string;
  readonly work: unknown;
}

const endedAs = (state: JobEnd['state']) =>
  sql`state = ${state}, ended_at = clock_timestamp(), due_at = NULL, lease = NULL`;
const failedWith = (code: string, message: string) =>
  sql`${endedAs('failed')}, error_code = ${code}, error_message = ${message}`;
const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`;

/** All times come from the clock of the database, so that the clocks of the workers do not matter. */
export function createAttempts(options: { readonly database: Database; readonly leaseMs: number }): Attempts {
  const { database, leaseMs } = options;

  async function isChanged({ jobId, lease }: Attempt, change: ReturnType<typeof sql>): Promise<boolean> {
    const { numAffectedRows } = await sql`
      UPDATE job SET ${change} WHERE job_id = ${jobId} AND lease = ${lease}`.execute(database);
    return defined(numAffectedRows) > 0n;
  }

  return {
    async startNext() {
      const lease = uuidv4();
      const { rows } = await sql<StartedRow>`
        UPDATE job SET state = 'running', attempts = attempts + 1, lease = ${lease}, due_at = ${inMs(leaseMs)}
        WHERE job_id = (SELECT job_id FROM job WHERE ended_at IS NULL AND due_at <= clock_timestamp()
          ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING job_id AS "jobId", attempts, spent, caller, idempotency_key AS "idempotencyKey", work`.execute(
        database,
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      try {
        return { ...row, lease, ...readStoredJob(row) };
      } catch (error) {
        // It would be started for ever, before all others.
        await sql`UPDATE job SET ${failedWith('INTERNAL', `the job cannot be read: ${String(error)}`)}
          WHERE job_id = ${row.jobId} AND lease = ${lease}`.execute(database);
        throw error;
      }
    },

    renew: (attempt) => isChanged(attempt, sql`due_at = ${inMs(leaseMs)}`),

    end(attempt, end) {
      if (end.state === 'failed') return isChanged(attempt, failedWith(end.code, end.message));
      return isChanged(attempt, sql`${endedAs(end.state)}, answer = ${end.answer}`);
    },

    giveBack: (attempt, { delayMs, spent }) =>
      isChanged(attempt, sql`state = 'queued', lease = NULL, due_at = ${inMs(delayMs)}, spent = ${spent}`),

    async deleteEnded({ olderThanMs, limit }) {
      const { numAffectedRows } = await sql`
        DELETE FROM job WHERE job_id IN (
          SELECT job_id FROM job WHERE ended_at < ${inMs(-olderThanMs)} ORDER BY ended_at LIMIT ${limit})`.execute(
        database,
      );
      return Number(defined(numAffectedRows));
    },
  };
}
