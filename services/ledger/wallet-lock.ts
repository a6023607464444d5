import { setTimeout as delay } from 'node:timers/promises';
import Redlock, { ExecutionError, type Lock, ResourceLockedError, type ScriptClient } from 'redlock';
import { answerWithin, type RedisClient } from '../shared/redis-client.ts';
import { LedgerUnavailableError } from './ledger.ts';

/** Longer than a reservation may take, so that only a dead holder lets it lapse. */
const HOLD_MS = 2000;
const RETRY_MS = 20;

interface HeldLock {
  /** What `reserve` checks to be still stored. */
  readonly token: string;
  /** Gives it back without making the holder wait; a failed release lapses. */
  release(): void;
}

interface WalletLock {
  /** @throws {LedgerUnavailableError} `lock_timeout` when the wallet stays busy, `refused` when Redis does not serve. */
  acquire(wallet: string): Promise<HeldLock>;
  /** Ends when every release has been answered. */
  close(): Promise<void>;
}

/** redlock is made for ioredis; this is what it uses of it. */
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

/** What redlock met: the wallet is locked, or Redis itself failed. */
async function causeOf(error: unknown): Promise<unknown> {
  const attempt = error instanceof ExecutionError ? await error.attempts[0] : undefined;
  return attempt?.votesAgainst.values().next().value ?? error;
}

/**
 * Orders the calls of one wallet: in this process by a queue, between processes by redlock. Nothing depends on it
 * for correctness. The queue keeps a burst from polling Redis: only its head does.
 */
export function createWalletLock(options: {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly waitMs: number;
}): WalletLock {
  const { client, prefix, waitMs } = options;
  // Its own retries would go on, silently, while Redis is away: they are made here.
  const redlock = new Redlock([scriptClient(client, waitMs)], { retryCount: 0 });
  const tails = new Map<string, Promise<void>>();
  const releases = new Set<Promise<unknown>>();

  /** Redlock's own release of a lock that lapsed meanwhile fails, which is as good. */
  function release(lock: Lock): void {
    const released = lock.release().catch(() => {});
    releases.add(released);
    void released.finally(() => releases.delete(released));
  }

  async function lockInRedis(wallet: string, untilMs: number): Promise<Lock> {
    for (;;) {
      try {
        return await redlock.acquire([`${prefix}lock:${wallet}`], HOLD_MS);
      } catch (error) {
        const cause = await causeOf(error);
        if (!(cause instanceof ResourceLockedError)) {
          throw new LedgerUnavailableError('refused', `the wallet could not be locked: ${String(cause)}`, { cause });
        }
        if (performance.now() + RETRY_MS > untilMs) busy();
        await delay(RETRY_MS * (0.5 + Math.random()));
      }
    }
  }

  return {
    async acquire(wallet) {
      const untilMs = performance.now() + waitMs;
      const before = tails.get(wallet);
      const turn = Promise.withResolvers<void>();
      tails.set(wallet, turn.promise);
      const leave = () => {
        if (tails.get(wallet) === turn.promise) tails.delete(wallet);
        turn.resolve();
      };
      try {
        if (before) await answerWithin(before, waitMs).catch(busy);
        const lock = await lockInRedis(wallet, untilMs);
        const releaseAndLeave = () => {
          release(lock);
          leave();
        };
        return { token: lock.value, release: releaseAndLeave };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async close() {
      await Promise.all(releases);
    },
  };
}

function busy(): never {
  throw new LedgerUnavailableError('lock_timeout', 'the wallet is busy');
}
