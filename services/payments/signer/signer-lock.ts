import Redlock, { ExecutionError, ResourceLockedError, type ScriptClient } from 'redlock';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';

/** Runs `work` while no other copy of the service runs work under the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export class LockError extends Error {
  override readonly name = 'LockError';
}

/** How long a lock lasts unless it is extended. So the lock of a dead holder lapses soon. */
const HOLD_MS = 6000;
const EXTEND_EVERY_MS = 2000;
const WAIT_MS = 20_000;
const RETRY_MS = 15;

/** A settlement takes this lock, and what was executed must be settled even when Redis is full. */
const allowOom = (script: string) => `#!lua flags=allow-oom\n${script}`;
const SCRIPTS = { acquireScript: allowOom, extendScript: allowOom, releaseScript: allowOom };

/** The part of an ioredis client that redlock uses, on node-redis. */
function scriptClient(client: RedisClient, timeoutMs: number): ScriptClient {
  const parts = (count: number, args: readonly (string | number)[]) => {
    const texts = args.map(String);
    return { keys: texts.slice(0, count), arguments: texts.slice(count) };
  };
  return {
    evalsha: (hash, count, args) => answerWithin(client.evalSha(hash, parts(count, args)), timeoutMs),
    eval: (script, count, args) => answerWithin(client.eval(script, parts(count, args)), timeoutMs),
  };
}

interface LockOptions {
  readonly client: RedisClient;
  /** Of the lock's keys. */
  readonly prefix: string;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
}

/**
 * A lock over all copies of the service. Within this process callers queue, so that only the head of the queue polls
 * Redis. The lock prevents two copies from signing with one transaction nonce. If it lapses early, the chain accepts one
 * of the two transactions; the other claim finds its authorization unused and is sent again.
 */
export function createLock({ client, prefix, timeoutMs }: LockOptions): Lock {
  const settings = {
    retryCount: Math.floor(WAIT_MS / RETRY_MS),
    retryDelay: RETRY_MS,
    retryJitter: RETRY_MS / 2,
  };
  const redlock = new Redlock([scriptClient(client, timeoutMs)], settings, SCRIPTS);
  const tails = new Map<string, Promise<unknown>>();

  async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    let lock = await redlock.acquire([`${prefix}lock:${name}`], HOLD_MS).catch(async (error: unknown) => {
      const last = error instanceof ExecutionError ? await error.attempts.at(-1) : undefined;
      const cause = last?.votesAgainst.values().next().value ?? error;
      throw new LockError(
        cause instanceof ResourceLockedError ? 'the lock is held' : 'the lock could not be acquired',
        {
          cause,
        },
      );
    });
    const extension = setInterval(() => {
      redlock.extend(lock, HOLD_MS, { retryCount: 0 }).then(
        (extended) => {
          lock = extended;
        },
        () => {},
      );
    }, EXTEND_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(extension);
      // A lock that is not released lapses. One that has lapsed would be released again and again, for as long as one is
      // waited for.
      await redlock.release(lock, { retryCount: 0 }).catch(() => {});
    }
  }

  return (name, work) => {
    const before = tails.get(name) ?? Promise.resolve();
    const mine = before.then(() => locked(name, work));
    tails.set(
      name,
      mine.catch(() => {}),
    );
    return mine;
  };
}
