import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

/** Changes of one job, each of which is seen, or one look for several. */
export interface Follower {
  /** Resolves when the job may have changed since the last time, after `timeoutMs`, or when `signal` aborts. */
  changed(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

export interface JobChanges {
  follow(jobId: string): Follower;
  /** Followers that are not closed. */
  followers(): number;
  close(): Promise<void>;
}

const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 3000;

/**
 * Hears of jobs that change (`NOTIFY job_changed`), over one connection for all followers. What is notified while the
 * connection is lost is not heard: after each connect all of them look.
 */
export function followJobs(options: { readonly databaseUrl: string; readonly logger: Logger }): JobChanges {
  const { databaseUrl, logger } = options;
  const wakers = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  const logError = createRepeatedErrorLog({ logger, message: 'changes of jobs are not heard' });
  let client: pg.Client | undefined;

  const wake = (jobId: string) => {
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
    current.on('notification', ({ payload }) => wake(payload ?? ''));
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
    followers: () => Array.from(wakers.values()).reduce((sum, { size }) => sum + size, 0),
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
