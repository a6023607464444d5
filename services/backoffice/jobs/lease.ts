import type { Logger } from '../../platform/process/logger.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { JobChanges } from './job-changes.ts';

export interface LeaseHold {
  /** Aborts when the attempt has lost the job: it was canceled or taken over, or its lease has ended. */
  readonly signal: AbortSignal;
  abort(): void;
  /** Stops renewing. */
  close(): void;
}

export interface LeaseOptions {
  readonly attempt: Attempt;
  readonly attempts: Pick<Attempts, 'renew'>;
  readonly changes: JobChanges;
  readonly leaseMs: number;
  /** A time before the lease began, on the clock of `performance.now()`. */
  readonly sinceMs: number;
  readonly logger: Logger;
}

/** Renews an attempt's lease regularly, and after each change of its job, until it is closed or the job is lost. */
export function holdLease({ attempt, attempts, changes, leaseMs, sinceMs, logger }: LeaseOptions): LeaseHold {
  const lost = new AbortController();
  const closing = new AbortController();
  const follower = changes.follow(attempt.jobId);
  const { jobId } = attempt;

  /** While the database does not answer, the lease ends by the clock of this process first, then by the database's. */
  let expiry: NodeJS.Timeout;
  const expireFrom = (beganMs: number) => {
    clearTimeout(expiry);
    expiry = setTimeout(() => lost.abort(), Math.max(0, beganMs + leaseMs - performance.now()));
  };

  async function renew(): Promise<void> {
    const beganMs = performance.now();
    try {
      if (await attempts.renew(attempt)) expireFrom(beganMs);
      else lost.abort();
    } catch (err) {
      logger.warn({ err, jobId }, 'the lease of a job could not be renewed now');
    }
  }

  async function keepRenewing(): Promise<void> {
    const ended = AbortSignal.any([lost.signal, closing.signal]);
    for (;;) {
      await follower.changed(leaseMs / 3, ended);
      if (ended.aborted) break;
      await renew();
    }
    clearTimeout(expiry);
    follower.close();
  }

  expireFrom(sinceMs);
  void keepRenewing();
  return {
    signal: lost.signal,
    abort: () => lost.abort(),
    close: () => closing.abort(),
  };
}
