import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';
import type { LockSession, LockSessions } from '../../store/recurring/lock-session.ts';
import { classifyFailure } from './failure.ts';
import {
  type Attempt,
  fail,
  findDue,
  findRunning,
  giveBack,
  type Submission,
  startAttempt,
  succeed,
} from './job-rows.ts';

/** Does the work of a job. A second call with the same key does nothing more. @returns JSON @throws {CallError} */
export type Verify = (work: Submission, signal: AbortSignal) => Promise<string>;

export interface WorkerOptions {
  readonly database: Database;
  /** Of this process. */
  readonly sessions: LockSessions;
  readonly verify: Verify;
  /** Jobs that run at a time. */
  readonly concurrency: number;
  /** Delay after the first failure. It is doubled each time, up to 60 times as long. */
  readonly firstRetryMs: number;
  readonly logger: Logger;
}

interface Run {
  readonly attempts: number;
  /** Aborts the work when the job's row no longer names its attempt. */
  readonly superseded: AbortController;
  readonly done: Promise<void>;
}

/** While jobs run, one look also finds those that were canceled. */
const LOOK_EVERY_MS = 1000;
const IDLE_LOOK_EVERY_MS = 4000;

/**
 * Runs the jobs that are due. A worker holds the advisory lock of a job while it runs the job, so that no two processes run it. The process keeps its
 * running jobs besides, because a session may take its own lock again. PostgreSQL releases the locks of a dead process,
 * and then any worker starts its jobs again.
 */
export function startWorker(options: WorkerOptions) {
  const { database, sessions, verify, concurrency, firstRetryMs, logger } = options;
  const logError = createRepeatedErrorLog({ logger, message: 'due jobs could not be started or ended now' });
  const running = new Map<string, Run>();
  const closing = new AbortController();
  let isNews = false;
  let resume = () => {};

  const wakeUp = () => {
    isNews = true;
    resume();
  };

  async function rest(): Promise<void> {
    if (!isNews) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        resume = resolve;
        timer = setTimeout(resolve, running.size > 0 ? LOOK_EVERY_MS : IDLE_LOOK_EVERY_MS);
      });
      clearTimeout(timer);
    }
    isNews = false;
  }

  /** Finds out whether running jobs were canceled, or started again by a worker that has their locks now. */
  async function abortSuperseded(): Promise<void> {
    if (running.size === 0) return;
    const current = await findRunning(database, [...running.keys()]);
    for (const [jobId, { attempts, superseded }] of running) {
      if (current.get(jobId) !== attempts) superseded.abort();
    }
  }

  async function startDue(): Promise<void> {
    if (running.size >= concurrency) return;
    for (const jobId of await findDue(database, [...running.keys()])) {
      if (running.size >= concurrency || closing.signal.aborted) return;
      await startIfFree(jobId);
    }
  }

  async function startIfFree(jobId: string): Promise<void> {
    const lock = `job/${jobId}`;
    const session = await sessions.current();
    if (!(await session.tryLock(lock))) return;
    const attempt = await startAttempt(session, jobId);
    if (attempt === undefined) {
      await session.unlock(lock);
      return;
    }
    const superseded = new AbortController();
    const done = run(attempt, session, superseded.signal)
      .finally(async () => {
        // If this fails, the session ends, which releases the lock.
        await session.unlock(lock).catch(() => {});
        running.delete(jobId);
      })
      // A job whose end could not be stored waits for the next look.
      .then(wakeUp, logError);
    running.set(jobId, { attempts: attempt.attempts, superseded, done });
  }

  async function run(attempt: Attempt, session: LockSession, superseded: AbortSignal): Promise<void> {
    const { jobId, attempts, spent, caller } = attempt;
    if (caller === undefined) {
      logger.error({ jobId, attempts }, 'a job cannot be read');
      const message = 'the job cannot be read: its caller has another form';
      await fail(database, attempt, { code: 'INTERNAL', message });
      return;
    }
    const signal = AbortSignal.any([session.lost, superseded, closing.signal]);
    const outcome = await verify({ ...attempt, caller }, signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (session.lost.aborted) {
      logger.warn({ jobId, attempts }, 'a job lost its lock, so this attempt writes nothing');
    } else if ('answer' in outcome) {
      const isTaken = await succeed(database, attempt, outcome.answer);
      logger.info({ jobId, attempts, isTaken }, 'job answered');
    } else if (closing.signal.aborted) {
      await giveBack(database, attempt, { spent, delayMs: 0 });
    } else if (!superseded.aborted) {
      const failure = classifyFailure(outcome.error, spent, firstRetryMs);
      logger.warn({ err: outcome.error, jobId, attempts, failure }, 'job attempt failed');
      await (failure.isFinal ? fail(database, attempt, failure) : giveBack(database, attempt, failure));
    }
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      await abortSuperseded().then(startDue).catch(logError);
      await rest();
    }
  }

  const working = work();
  return {
    /** A job may be due now. Jobs that other copies submit or give back are found without it. */
    wakeUp,
    /** Gives running jobs back, and starts no more. The sessions may be closed after it. */
    async close(): Promise<void> {
      closing.abort();
      wakeUp();
      await working;
      await Promise.all(Array.from(running.values(), ({ done }) => done));
    },
  };
}
