import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';
import { openRedisQueue } from './redis-queue.ts';

/** Work that is done again and again, by one of the copies at a time. */
export interface RecurringJob {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

export interface RecurringJobs {
  close(): Promise<void>;
}

const KEEP = 100;
const MIN_LOOK_MS = 1000;

/**
 * Runs recurring jobs from a queue of that name. The queue only says when: what is owed stands in PostgreSQL, and
 * losing Redis loses none of it. A Redis that comes back empty is told of the jobs again.
 */
export function startRecurringJobs(options: {
  readonly redisUrl: string;
  readonly queueName: string;
  readonly jobs: readonly RecurringJob[];
  readonly logger: Logger;
}): RecurringJobs {
  const { redisUrl, queueName, jobs, logger } = options;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const { queue: connected, close } = openRedisQueue({
    redisUrl,
    name: queueName,
    concurrency: jobs.length,
    process: async ({ name }) => byName.get(name)?.run(),
    keep: KEEP,
    logger,
  });
  const closing = new AbortController();
  const lookEveryMs = Math.max(MIN_LOOK_MS, Math.min(...jobs.map(({ everyMs }) => everyMs)));

  async function schedule(isFirst: boolean): Promise<void> {
    const queue = await connected;
    for (const { name, everyMs } of jobs) {
      const isKnown = !isFirst && (await queue.getJobScheduler(name)) !== undefined;
      if (!isKnown) await queue.upsertJobScheduler(name, { every: everyMs }, { name });
    }
  }

  async function keepScheduled(): Promise<void> {
    for (let isFirst = true; !closing.signal.aborted; ) {
      try {
        await schedule(isFirst);
        isFirst = false;
      } catch (err) {
        if (!closing.signal.aborted)
          logger.warn({ err, queue: queueName }, 'recurring jobs could not be scheduled now');
      }
      await delay(lookEveryMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  void keepScheduled();
  return {
    async close() {
      closing.abort();
      await close();
    },
  };
}
