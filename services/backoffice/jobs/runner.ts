import type { Logger } from '../../platform/process/logger.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { classifyFailure, MAX_DELAY_OF_FIRST } from './failure.ts';
import type { JobChanges } from './job-changes.ts';
import type { JobWakeup } from './job-queue.ts';
import { holdLease, type LeaseHold } from './lease.ts';
import { runWork, type WorkTypes } from './work-types.ts';

export interface RunnerOptions {
  readonly attempts: Attempts;
  readonly changes: JobChanges;
  readonly workTypes: WorkTypes;
  readonly leaseMs: number;
  readonly firstRetryMs: number;
  readonly logger: Logger;
}

export interface Runner {
  /** Runs a job if it is due. Returns the next wake-up if it is known. */
  runIfDue(jobId: string): Promise<JobWakeup | undefined>;
  /** Gives running jobs back, so that another copy may start them at once, and starts no more. */
  stop(): void;
}

export function createRunner(options: RunnerOptions): Runner {
  const { attempts, changes, workTypes, leaseMs, firstRetryMs, logger } = options;
  const held = new Set<LeaseHold>();
  let isStopping = false;

  async function giveBack(attempt: Attempt, spent: number, delayMs: number): Promise<JobWakeup | undefined> {
    const { jobId } = attempt;
    const isOurs = await attempts.giveBack(attempt, { delayMs, spent });
    return isOurs ? { jobId, attempts: attempt.attempts, delayMs } : undefined;
  }

  async function settle(attempt: Attempt, outcome: WorkOutcome): Promise<JobWakeup | undefined> {
    const { jobId, spent } = attempt;
    if ('answer' in outcome) {
      const isTaken = await attempts.end(attempt, { state: 'succeeded', answer: outcome.answer });
      logger.info({ jobId, attempts: attempt.attempts, isTaken }, 'job answered');
      return undefined;
    }
    if (isStopping) return giveBack(attempt, spent, 0);
    if ('isUnknown' in outcome) {
      logger.warn({ jobId, attempts: attempt.attempts }, 'a job of a later release is left to its processes');
      return giveBack(attempt, spent, firstRetryMs * Math.min(2 ** (attempt.attempts - 1), MAX_DELAY_OF_FIRST));
    }
    if (outcome.isAborted) return undefined;
    const failure = classifyFailure(outcome.error, spent, firstRetryMs);
    logger.warn({ err: outcome.error, jobId, attempts: attempt.attempts, failure }, 'job attempt failed');
    if (!failure.isFinal) return giveBack(attempt, failure.spent, failure.delayMs);
    await attempts.end(attempt, { state: 'failed', code: failure.code, message: failure.message });
    return undefined;
  }

  async function attemptWork({ work, caller, idempotencyKey }: Attempt, signal: AbortSignal): Promise<WorkOutcome> {
    // A process of a later release submitted it, so such a process can do it.
    if (work.operation === undefined) return { isUnknown: true };
    try {
      const answer = await runWork(workTypes, work.operation, { caller, idempotencyKey, signal });
      return { answer };
    } catch (error) {
      return { error, isAborted: signal.aborted };
    }
  }

  return {
    async runIfDue(jobId) {
      if (isStopping) return undefined;
      const sinceMs = performance.now();
      const attempt = await attempts.start(jobId);
      if (attempt === undefined) return undefined;
      const hold = holdLease({ attempt, attempts, changes, leaseMs, sinceMs, logger });
      held.add(hold);
      if (isStopping) hold.abort();
      const outcome = await attemptWork(attempt, hold.signal);
      held.delete(hold);
      hold.close();
      return settle(attempt, outcome);
    },

    stop() {
      isStopping = true;
      for (const hold of held) hold.abort();
    },
  };
}

type WorkOutcome =
  | { readonly answer: string }
  | { readonly error: unknown; readonly isAborted: boolean }
  | { readonly isUnknown: true };
