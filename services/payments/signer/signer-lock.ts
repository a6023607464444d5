import Redlock, { ExecutionError, ResourceLockedError, type ScriptClient } from 'redlock';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';

/** Runs `work` while no other copy of the service runs any under the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export class LockError extends Error {
  override readonly name = 'LockError';
}

/** Longer than what is done under it may take, so that only a dead holder lets it lapse. */
const HOLD_MS = 15_000;
const WAIT_MS = 20_000;
const RETRY_MS = 15;
const ANSWER_MS = 1000;

/** What was executed must be settled even when Redis has no memory left, and a settlement takes this lock. */
const allowOom = (script: string) => `#!lua flags=allow-oom\n${script}`;
const SCRIPTS = { acquireScript: allowOom, extendScript: allowOom, releaseScript: allowOom };

/** redlock is made for ioredis; this is what it uses of it. */
function scriptClient(client: RedisClient): ScriptClient {
  const parts = (count: number, args: readonly (string | number)[]) => {
    const texts = args.map(String);
    return { keys: texts.slice(0, count), arguments: texts.slice(count) };
  };
  return {
    evalsha: (hash, count, args) => answerWithin(client.evalSha(hash, parts(count, args)), ANSWER_MS),
    eval: (script, count, args) => answerWithin(client.eval(script, parts(count, args)), ANSWER_MS),
  };
}

/**
 * A lock over all copies of the service, with a queue in this process so that only its head polls Redis.
 * It keeps two copies from signing with one transaction nonce. Should it lapse all the same, the chain takes one of
 * the two, and the other claim finds its authorization unused and is sent again.
 */
export function createLock(options: { readonly client: RedisClient; readonly prefix: string }): Lock {
  const settings = {
    retryCount: Math.floor(WAIT_MS / RETRY_MS),
    retryDelay: RETRY_MS,
    retryJitter: RETRY_MS / 2,
  };
  const redlock = new Redlock([scriptClient(options.client)], settings, SCRIPTS);
  const tails = new Map<string, Promise<unknown>>();

  async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lock = await redlock.acquire([`${options.prefix}lock:${name}`], HOLD_MS).catch(async (error: unknown) => {
      const last = error instanceof ExecutionError ? await error.attempts.at(-1) : undefined;
      const cause = last?.votesAgainst.values().next().value ?? error;
      throw new LockError(cause instanceof ResourceLockedError ? 'the lock is held' : 'the lock cannot be had', {
        cause,
      });
    });
    try {
      return await work();
    } finally {
      // One that is not given back lapses.
      await lock.release().catch(() => {});
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
