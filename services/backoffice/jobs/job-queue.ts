import type { Logger } from '../../platform/process/logger.ts';
import { openRedisQueue } from '../queue/redis-queue.ts';

/** That a job is to be looked at. */
export interface JobSummons {
  readonly jobId: string;
  /** Times that it was begun before. */
  readonly attempts: number;
  readonly delayMs?: number;
}

export interface JobQueue {
  /** Waits while Redis is away. What is not added, or lost, is found by the sweep. */
  add(summons: readonly JobSummons[]): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'durable-jobs';

/** Says when a job is to be looked at, and by which copy. Losing all of it loses no job. */
export function openJobQueue(options: {
  readonly redisUrl: string;
  readonly concurrency: number;
  /** Looks at a job, and says when to look again where it is known. */
  readonly look: (jobId: string) => Promise<JobSummons | undefined>;
  readonly logger: Logger;
}): JobQueue {
  const { redisUrl, concurrency, look, logger } = options;
  const { queue: connected, close } = openRedisQueue({
    redisUrl,
    name: QUEUE,
    concurrency,
    async process({ name }) {
      const again = await look(name);
      if (again !== undefined) await add([again]);
    },
    keep: 0,
    logger,
  });

  async function add(summons: readonly JobSummons[]): Promise<void> {
    const queue = await connected;
    // Not `addBulk`: its transaction runs scripts by their hash, which a Redis that was restarted does not know.
    await Promise.all(
      summons.map(({ jobId, attempts, delayMs = 0 }) =>
        // An id that is known is not added twice. With the attempt in it, the entry that a dead worker holds does not
        // keep the next attempt away.
        queue.add(jobId, {}, { jobId: `${jobId}.${attempts}`, delay: delayMs }),
      ),
    );
  }

  return { add, close };
}
