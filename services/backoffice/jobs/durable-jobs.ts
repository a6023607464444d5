import type { JobsServiceServer } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { startRecurringJobs } from '../../store/recurring/recurring-jobs.ts';
import { createAttempts } from './attempts.ts';
import { followJobs } from './job-changes.ts';
import { createJobRecords } from './job-records.ts';
import { createJobsService } from './jobs-service.ts';
import { createRunner } from './runner.ts';
import type { WorkTypes } from './work-types.ts';
import { startWorker, type Worker } from './worker.ts';

export interface DurableJobsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly workTypes: WorkTypes;
  /** Jobs that this copy runs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly firstRetryMs: number;
  readonly logger: Logger;
}

export interface DurableJobs extends Pick<Worker, 'wakeUp'> {
  readonly service: JobsServiceServer;
  /** Gives running jobs back, and closes the connections. */
  close(): Promise<void>;
}

const DELETE_BATCH = 1000;
const DELETE_EVERY_MS = 3_600_000;
const KEEP_ENDED_MS = 7 * 86_400_000;

/** Runs jobs from their rows in PostgreSQL. */
export function startDurableJobs(options: DurableJobsOptions): DurableJobs {
  const { database, databaseUrl, workTypes, leaseMs, logger } = options;
  const attempts = createAttempts({ database, leaseMs });
  const changes = followJobs({ databaseUrl, logger });
  const worker = startWorker({ ...options, attempts, runner: createRunner({ ...options, attempts, changes }) });

  async function deleteEnded(): Promise<void> {
    let deleted: number;
    do deleted = await attempts.deleteEnded({ olderThanMs: KEEP_ENDED_MS, limit: DELETE_BATCH });
    while (deleted === DELETE_BATCH);
  }

  const recurring = startRecurringJobs({
    databaseUrl,
    jobs: [{ name: 'delete-ended-jobs', everyMs: DELETE_EVERY_MS, run: deleteEnded }],
    logger,
  });

  return {
    service: createJobsService({
      records: createJobRecords(database),
      workTypes,
      wakeUp: worker.wakeUp,
      logger,
    }),
    wakeUp: worker.wakeUp,
    async close() {
      await Promise.all([recurring.close(), worker.close()]);
      await changes.close();
    },
  };
}
