import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

/** Follows the changes of one job. No change is missed; several changes may be reported as one. */
export interface Follower {
  /** Resolves when the job may have changed since the last call, after `timeoutMs`, or when `signal` aborts. */
  changed(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

export interface JobChanges {
  follow(jobId: string): Follower;
  close(): Promise<void>;
}

const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 3000;

/**
 * Listens for changes of jobs (`NOTIFY job_changed`), over one connection for all followers. Notifications are lost while
 * the connection is down, so after each connect every follower is woken up.
 */
export function followJobs(options: { readonly databaseUrl: string; readonly logger: Logger }): JobChanges {
  const { databaseUrl, logger } = options;
  const wakers = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  const logError = createRepeatedErrorLog({ logger, message: 'changes of jobs are not received' });
  let client: pg.Client | undefined;

  const wake = (jobId: string) => {
    // A job without followers has no wakers.
    for (const waker of wakers.get(jobId) ?? []) waker();
  };

  async function listen(): Promise<void> {
    const current = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client = current;
    const ended = new Promise<void>((resolve) => current.once('end', resolve));
    current.on('error', logError);
    current.on('notification', ({ payload }) => {
      if (payload === undefined) logError(new Error('a notification does not name its job'));
      else wake(payload);
    });
    try {
      await current.connect();
      await current.query('LISTEN job_changed');
      for (const jobId of wakers.keys()) wake(jobId);
      await ended;
    } finally {
      await current.end().catch(() => {});
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(logError);
      await delay(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const listening = keepListening();
  return {
    follow(jobId) {
      const { follower, waker } = createFollower(() => {
        const others = wakers.get(jobId);
        others?.delete(waker);
        if (others?.size === 0) wakers.delete(jobId);
      });
      const known = wakers.get(jobId) ?? new Set();
      wakers.set(jobId, known.add(waker));
      return follower;
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await listening;
    },
  };
}

function createFollower(leave: () => void): { readonly follower: Follower; readonly waker: () => void } {
  let isNews = false;
  let resume: (() => void) | undefined;
  const waker = () => {
    isNews = true;
    resume?.();
  };
  async function changed(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (!isNews && signal?.aborted !== true) {
      const timer = setTimeout(() => resume?.(), timeoutMs);
      const stop = () => resume?.();
      signal?.addEventListener('abort', stop);
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
    isNews = false;
  }
  return { follower: { changed, close: leave }, waker };
}
