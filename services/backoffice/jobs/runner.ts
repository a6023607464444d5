import type { Logger } from '../../platform/process/logger.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { judgeFailure } from './failure.ts';
import type { JobChanges } from './job-changes.ts';
import type { JobSummons } from './job-queue.ts';
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
  /** Does a job's work where it is due. When it is to be looked at again, if that is known. */
  look(jobId: string): Promise<JobSummons | undefined>;
  /** Gives back what runs, for another copy to begin at once, and begins nothing more. */
  stop(): void;
}

export function createRunner(options: RunnerOptions): Runner {
  const { attempts, changes, workTypes, leaseMs, firstRetryMs, logger } = options;
  const held = new Set<LeaseHold>();
  let isStopping = false;

  async function giveBack(attempt: Attempt, spent: number, delayMs: number): Promise<JobSummons | undefined> {
    const { jobId } = attempt;
    const isOurs = await attempts.giveBack(attempt, { delayMs, spent });
    return isOurs ? { jobId, attempts: attempt.attempts, delayMs } : undefined;
  }

  async function settle(attempt: Attempt, outcome: Outcome): Promise<JobSummons | undefined> {
    const { jobId, spent } = attempt;
    if ('answer' in outcome) {
      const isTaken = await attempts.end(attempt, { state: 'succeeded', answer: outcome.answer });
      logger.info({ jobId, attempts: attempt.attempts, isTaken }, 'job answered');
      return undefined;
    }
    if (isStopping) return giveBack(attempt, spent, 0);
    if (outcome.isAborted) return undefined;
    const verdict = judgeFailure(outcome.error, spent, firstRetryMs);
    logger.warn({ err: outcome.error, jobId, attempts: attempt.attempts, verdict }, 'job attempt failed');
    if (!verdict.isFinal) return giveBack(attempt, verdict.spent, verdict.delayMs);
    await attempts.end(attempt, { state: 'failed', code: verdict.code, message: verdict.message });
    return undefined;
  }

  async function attemptWork({ work, caller, idempotencyKey }: Attempt, signal: AbortSignal): Promise<Outcome> {
    try {
      if (work.operation === undefined) throw new Error('a job of a kind that is not known here');
      const answer = await runWork(workTypes, work.operation, { caller, idempotencyKey, signal });
      return { answer };
    } catch (error) {
      return { error, isAborted: signal.aborted };
    }
  }

  return {
    async look(jobId) {
      if (isStopping) return undefined;
      const sinceMs = performance.now();
      const attempt = await attempts.claim(jobId);
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

type Outcome = { readonly answer: string } | { readonly error: unknown; readonly isAborted: boolean };
