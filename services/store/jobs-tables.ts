import type { ColumnType, Generated } from 'kysely';

export type JobStateName = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface JobsTables {
  job: {
    job_id: string;
    tenant_id: string;
    idempotency_key: string;
    /** Written as JSON text. */
    caller: ColumnType<unknown, string, never>;
    work: ColumnType<unknown, string, never>;
    state: Generated<JobStateName>;
    attempts: Generated<number>;
    spent: Generated<number>;
    created_at: Generated<Date>;
    due_at: Generated<Date | null>;
    answer: string | null;
    error_code: string | null;
    error_message: string | null;
    ended_at: Date | null;
  };
}
