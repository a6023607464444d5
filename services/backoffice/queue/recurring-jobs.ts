import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { createExclusiveRuns } from './exclusive-runs.ts';

/** Work that is done again and again, by one copy at a time. */
export interface RecurringJob {
  /** Copies that run a job of the same name take turns. */
  readonly name: string;
  readonly everyMs: number;
  /** Stops soon after `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface RecurringJobs {
  /** Waits for what runs, for 5 s at most. */
  close(): Promise<void>;
}

const RETRY_MS = 5000;
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Runs recurring jobs by timers. An advisory lock of PostgreSQL keeps copies apart, because what the jobs work on is
 * there as well: they need no queue, and they go on while Redis is away or out of memory.
 */
export function startRecurringJobs(options: {
  readonly databaseUrl: string;
  readonly jobs: readonly RecurringJob[];
  readonly logger: Logger;
}): RecurringJobs {
  const { jobs, logger } = options;
  const closing = new AbortController();
  const runs = createExclusiveRuns(options.databaseUrl, closing.signal);

  async function repeat({ name, everyMs, run }: RecurringJob): Promise<void> {
    const logError = createRepeatedErrorLog({ logger, fields: { job: name }, message: 'a recurring job failed' });
    while (!closing.signal.aborted) {
      let waitMs = everyMs;
      try {
        await runs.run(name, run);
      } catch (error) {
        if (!closing.signal.aborted) logError(error);
        waitMs = Math.min(everyMs, RETRY_MS);
      }
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const repeating = Promise.all(jobs.map(repeat));
  return {
    async close() {
      closing.abort();
      const late = delay(CLOSE_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([repeating, late]);
      await runs.close();
    },
  };
}
