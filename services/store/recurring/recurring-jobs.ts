import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { createLockSessions } from './lock-session.ts';

/** Work that is repeated at intervals, by one copy at a time. */
export interface RecurringJob {
  /** Copies never run jobs of the same name at the same time. */
  readonly name: string;
  readonly everyMs: number;
  /** Stops soon after `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface RecurringJobs {
  /** Waits for running jobs, for at most 5 s. */
  close(): Promise<void>;
}

const RETRY_MS = 5000;
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Runs recurring jobs by timers. Copies exclude each other by an advisory lock of PostgreSQL, where the data of the jobs
 * is too. So the jobs need no queue, and they continue while Redis is unavailable or full.
 */
export function startRecurringJobs(options: {
  readonly databaseUrl: string;
  readonly jobs: readonly RecurringJob[];
  readonly logger: Logger;
}): RecurringJobs {
  const { jobs, logger } = options;
  const closing = new AbortController();
  const sessions = createLockSessions(options.databaseUrl);

  /** Does nothing if another copy runs the job. The signal of the job also aborts when the lock is lost. */
  async function runAlone({ name, run }: RecurringJob): Promise<void> {
    const { lost, tryLock, unlock } = await sessions.current();
    if (closing.signal.aborted || !(await tryLock(name))) return;
    try {
      await run(AbortSignal.any([lost, closing.signal]));
    } finally {
      // If this fails, the session ends, which releases the lock.
      await unlock(name).catch(() => {});
    }
  }

  async function repeat(job: RecurringJob): Promise<void> {
    const { name, everyMs } = job;
    const logError = createRepeatedErrorLog({ logger, fields: { job: name }, message: 'a recurring job failed' });
    while (!closing.signal.aborted) {
      let waitMs = everyMs;
      try {
        await runAlone(job);
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
      await sessions.close();
    },
  };
}
