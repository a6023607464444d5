import type { Logger } from '../../platform/process/logger.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { classifyFailure, MAX_DELAY_OF_FIRST } from './failure.ts';
import type { JobChanges } from './job-changes.ts';
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
  /** Does the work of an attempt. @param sinceMs a time before it started, on the clock of `performance.now()` */
  run(attempt: Attempt, sinceMs: number): Promise<void>;
  /** Gives jobs back that run now or are started later, so that another copy may start them at once. */
  stop(): void;
}

export function createRunner(options: RunnerOptions): Runner {
  const { attempts, changes, workTypes, leaseMs, firstRetryMs, logger } = options;
  const held = new Set<LeaseHold>();
  let isStopping = false;

  async function settle(attempt: Attempt, outcome: WorkOutcome): Promise<void> {
    const { jobId, spent } = attempt;
    if ('answer' in outcome) {
      const isTaken = await attempts.end(attempt, { state: 'succeeded', answer: outcome.answer });
      logger.info({ jobId, attempts: attempt.attempts, isTaken }, 'job answered');
    } else if (isStopping) {
      await attempts.giveBack(attempt, { spent, delayMs: 0 });
    } else if ('isUnknown' in outcome) {
      logger.warn({ jobId, attempts: attempt.attempts }, 'a job of a later release is left to its processes');
      const delayMs = firstRetryMs * Math.min(2 ** (attempt.attempts - 1), MAX_DELAY_OF_FIRST);
      await attempts.giveBack(attempt, { spent, delayMs });
    } else if (!outcome.isAborted) {
      await fail(attempt, outcome.error);
    }
  }

  async function fail(attempt: Attempt, error: unknown): Promise<void> {
    const { jobId, spent } = attempt;
    const failure = classifyFailure(error, spent, firstRetryMs);
    logger.warn({ err: error, jobId, attempts: attempt.attempts, failure }, 'job attempt failed');
    if (failure.isFinal) {
      await attempts.end(attempt, { state: 'failed', code: failure.code, message: failure.message });
    } else {
      await attempts.giveBack(attempt, failure);
    }
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
    async run(attempt, sinceMs) {
      const hold = holdLease({ attempt, attempts, changes, leaseMs, sinceMs, logger });
      held.add(hold);
      if (isStopping) hold.abort();
      const outcome = await attemptWork(attempt, hold.signal);
      held.delete(hold);
      hold.close();
      await settle(attempt, outcome);
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
