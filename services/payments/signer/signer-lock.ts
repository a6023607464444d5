import { setTimeout as sleep } from 'node:timers/promises';
import type { LockSession, LockSessions } from '../../store/recurring/lock-session.ts';
import type { Lock } from '../payment/context.ts';

export class LockError extends Error {
  override readonly name = 'LockError';
}

const WAIT_MS = 20_000;
const RETRY_MS = 15;

/**
 * A lock over all copies of the service, by advisory locks of PostgreSQL. Within this process callers queue, because a
 * session may take its own lock again, and only the head of the queue polls. The lock prevents two copies from signing
 * with one transaction nonce. If it is lost with the session, the chain accepts one of the two transactions; the other
 * claim finds its authorization unused and is sent again.
 */
export function createLock(sessions: LockSessions, network: string): Lock {
  const tails = new Map<string, Promise<unknown>>();

  async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const fullName = `payments/${network}/${name}`;
    const session = await acquire(sessions, fullName);
    try {
      return await work();
    } finally {
      // If this fails, the session ends, which releases the lock.
      await session.unlock(fullName).catch(() => {});
    }
  }

  return (name, work) => {
    const mine = (tails.get(name) ?? Promise.resolve()).then(() => locked(name, work));
    const tail = mine
      .catch(() => {})
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
    tails.set(name, tail);
    return mine;
  };
}

/** @throws {LockError} */
async function acquire(sessions: LockSessions, name: string): Promise<LockSession> {
  const untilMs = performance.now() + WAIT_MS;
  for (;;) {
    const session = await sessions.current().catch(unavailable);
    if (await session.tryLock(name).catch(unavailable)) return session;
    if (performance.now() > untilMs) throw new LockError('the lock is held');
    await sleep(RETRY_MS);
  }
}

function unavailable(cause: unknown): never {
  throw new LockError('the lock could not be acquired', { cause });
}
