import { type LockSession, openLockSession } from './lock-session.ts';

/** Runs work in one copy of a service at a time. */
export interface ExclusiveRuns {
  /**
   * Runs `work` under the lock of that name. Does nothing if another copy holds the lock. The signal of `work` aborts
   * when the lock is lost, or when `stopping` aborts.
   * @throws what `work` throws, and an error while PostgreSQL is unavailable
   */
  run(name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /** Releases all locks. */
  close(): Promise<void>;
}

export function createExclusiveRuns(databaseUrl: string, stopping: AbortSignal): ExclusiveRuns {
  let current: Promise<LockSession> | undefined;

  /** All names share one connection, which is replaced after it is lost. */
  function session(): Promise<LockSession> {
    if (current !== undefined) return current;
    const opened = openLockSession(databaseUrl);
    const forget = () => {
      if (current === opened) current = undefined;
    };
    current = opened;
    opened.then(({ lost }) => {
      if (lost.aborted) forget();
      else lost.addEventListener('abort', forget, { once: true });
    }, forget);
    return opened;
  }

  return {
    async run(name, work) {
      stopping.throwIfAborted();
      const { lost, tryLock, unlock } = await session();
      if (!(await tryLock(name))) return;
      try {
        await work(AbortSignal.any([lost, stopping]));
      } finally {
        // If this fails, the session ends, which releases the lock.
        await unlock(name).catch(() => {});
      }
    },
    async close() {
      const open = await current?.catch(() => undefined);
      await open?.end();
    },
  };
}
