import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { LockSessions } from './lock-session.ts';

/** Work that is repeated at intervals. */
export interface RecurringJob {
  readonly name: string;
  readonly everyMs: number;
  /** Stops soon after `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** How often a copy that does not run the jobs looks whether it may. */
const LOOK_EVERY_MS = 2000;
const RETRY_MS = 5000;
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Runs recurring jobs by timers, in one copy at a time: the copy that holds the advisory lock of their group, until it ends or
 * loses the lock. The data of the jobs is in PostgreSQL too, so they need no queue, and they continue while Redis is
 * unavailable or full.
 */
export function startRecurringJobs(options: {
  readonly sessions: LockSessions;
  /** Copies never run jobs of the same group at the same time. */
  readonly group: string;
  readonly jobs: readonly RecurringJob[];
  readonly logger: Logger;
}) {
  const { sessions, group, jobs, logger } = options;
  const closing = new AbortController();
  const rest = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {});

  async function repeat({ name, everyMs, run }: RecurringJob, signal: AbortSignal): Promise<void> {
    const logError = createRepeatedErrorLog({ logger, fields: { job: name }, message: 'a recurring job failed' });
    while (!signal.aborted) {
      let waitMs = everyMs;
      try {
        await run(signal);
      } catch (error) {
        if (!signal.aborted) logError(error);
        waitMs = Math.min(everyMs, RETRY_MS);
      }
      await rest(waitMs, signal);
    }
  }

  async function work(): Promise<void> {
    const logError = createRepeatedErrorLog({
      logger,
      fields: { group },
      message: 'recurring jobs wait for their lock',
    });
    while (!closing.signal.aborted) {
      try {
        const { lost, tryLock, unlock } = await sessions.current();
        if (await tryLock(group)) {
          const signal = AbortSignal.any([lost, closing.signal]);
          await Promise.all(jobs.map((job) => repeat(job, signal)));
          // If this fails, the session ends, which releases the lock.
          await unlock(group).catch(() => {});
        }
      } catch (error) {
        logError(error);
      }
      await rest(LOOK_EVERY_MS, closing.signal);
    }
  }

  const working = work();
  return {
    /** Waits for running jobs, for at most 5 s. The sessions may be closed after it. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.race([working, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
