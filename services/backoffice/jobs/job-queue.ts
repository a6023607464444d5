import type { StoreFigures } from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { openRedisQueue } from '../queue/redis-queue.ts';
import { readServer } from '../queue/redis-server.ts';

/** Asks a worker to run a job if it is due. */
export interface JobWakeup {
  readonly jobId: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  readonly delayMs?: number;
}

export interface JobQueue {
  /** Waits while Redis is unavailable. The sweep finds jobs whose wake-up is missing or lost. */
  add(wakeups: readonly JobWakeup[]): Promise<void>;
  /** Waits while Redis is unavailable. */
  counts(): Promise<{ readonly waiting: number; readonly delayed: number; readonly active: number }>;
  /** The Redis of the queue. Waits while it is unavailable. */
  server(): Promise<StoreFigures>;
  close(): Promise<void>;
}

const QUEUE = 'durable-jobs';

/** Distributes wake-ups of jobs over the copies. Losing the whole queue loses no job. */
export function openJobQueue(options: {
  readonly redisUrl: string;
  readonly concurrency: number;
  /** Runs a job if it is due. Returns the next wake-up if it is known. */
  readonly runIfDue: (jobId: string) => Promise<JobWakeup | undefined>;
  readonly logger: Logger;
}): JobQueue {
  const { redisUrl, concurrency, runIfDue, logger } = options;
  const queues = openRedisQueue({
    redisUrl,
    name: QUEUE,
    concurrency,
    async process({ name }) {
      const again = await runIfDue(name);
      if (again !== undefined) await add([again]);
    },
    keep: 0,
    logger,
  });

  const { queue: connected, close } = queues;

  async function add(wakeups: readonly JobWakeup[]): Promise<void> {
    const queue = await connected;
    // `addBulk` would fail after a restart of Redis: its transaction runs scripts by a hash that Redis no longer knows.
    await Promise.all(
      wakeups.map(({ jobId, attempts, delayMs = 0 }) =>
        // BullMQ ignores an entry whose id it knows. The id includes the attempt, so that the entry of a dead worker
        // does not block the next attempt.
        queue.add(jobId, {}, { jobId: `${jobId}.${attempts}`, delay: delayMs }),
      ),
    );
  }

  async function counts() {
    const queue = await connected;
    const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active');
    return { waiting, delayed, active };
  }

  return { add, counts, server: () => readServer(queues), close };
}
