import type { JobsServiceServer } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';
import { startRecurringJobs } from '../../store/recurring/recurring-jobs.ts';
import { createAttempts } from './attempts.ts';
import { followJobs } from './job-changes.ts';
import { type JobQueue, type JobWakeup, openJobQueue } from './job-queue.ts';
import { createJobRecords } from './job-records.ts';
import { createJobsService } from './jobs-service.ts';
import { createRunner } from './runner.ts';
import type { WorkTypes } from './work-types.ts';

export interface DurableJobsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly workTypes: WorkTypes;
  /** Jobs that this copy runs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly firstRetryMs: number;
  readonly sweepIntervalMs: number;
  readonly logger: Logger;
}

export interface DurableJobs {
  readonly service: JobsServiceServer;
  /** Wakes up a worker for a job. If that fails, a sweep finds the job. */
  readonly wakeUp: (wakeup: JobWakeup) => void;
  readonly countWakeups: JobQueue['counts'];
  readonly readRedis: JobQueue['server'];
  /** Gives running jobs back, ends watches, and closes the connections. */
  close(): Promise<void>;
}

const SWEEP_BATCH = 500;
const DELETE_BATCH = 1000;
const DELETE_EVERY_MS = 3_600_000;
const KEEP_ENDED_MS = 7 * 86_400_000;

/** Runs jobs from their rows in PostgreSQL. A queue wakes them up, and a sweep finds those that are due. */
export function startDurableJobs(options: DurableJobsOptions): DurableJobs {
  const { database, databaseUrl, redisUrl, workTypes, concurrency, leaseMs, logger } = options;
  const stopping = new AbortController();
  const attempts = createAttempts({ database, leaseMs });
  const changes = followJobs({ databaseUrl, logger });
  const runner = createRunner({ ...options, attempts, changes });
  const queue = openJobQueue({ redisUrl, concurrency, runIfDue: runner.runIfDue, logger });

  const logLeft = createRepeatedErrorLog({ logger, message: 'a job is left to the sweep' });
  const wakeUp = (wakeup: JobWakeup) => {
    queue.add([wakeup]).catch(logLeft);
  };

  async function sweep(): Promise<void> {
    await queue.add(await attempts.due(SWEEP_BATCH));
  }

  async function deleteEnded(): Promise<void> {
    let deleted: number;
    do deleted = await attempts.deleteEnded({ olderThanMs: KEEP_ENDED_MS, limit: DELETE_BATCH });
    while (deleted === DELETE_BATCH);
  }

  const recurring = startRecurringJobs({
    databaseUrl,
    jobs: [
      { name: 'sweep-due-jobs', everyMs: options.sweepIntervalMs, run: sweep },
      { name: 'delete-ended-jobs', everyMs: DELETE_EVERY_MS, run: deleteEnded },
    ],
    logger,
  });

  return {
    service: createJobsService({
      records: createJobRecords(database),
      changes,
      workTypes,
      wakeUp,
      stopping: stopping.signal,
      logger,
    }),
    wakeUp,
    countWakeups: queue.counts,
    readRedis: queue.server,
    async close() {
      stopping.abort();
      const closed = Promise.all([recurring.close(), queue.close()]);
      runner.stop();
      await closed;
      await changes.close();
    },
  };
}
