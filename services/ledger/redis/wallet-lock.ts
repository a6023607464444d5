import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Redlock, { ExecutionError, type Lock, ResourceLockedError, type ScriptClient } from 'redlock';
import { createBatch } from '../../platform/batch.ts';
import { answerWithin, type RedisClient, RedisSlowError } from '../../platform/redis/redis-client.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { callOnce } from './function-calls.ts';
import { readLocks } from './ledger-replies.ts';

/** How long a lock lasts. A reservation takes less time, so only the lock of a dead holder lapses. */
const HOLD_MS = 2000;
const RETRY_MS = 20;

interface HeldLock {
  /** Identifies the holder. `reserve` checks that the lock still has this token. */
  readonly token: string;
  /** Starts the release and does not wait for it. If the release fails, the lock lapses. */
  release(): void;
  /** Lets the next caller of this process proceed. Call it instead of `release` when the lock is already released. */
  leave(): void;
}

interface WalletLock {
  /** @throws {LedgerUnavailableError} `lock_timeout` when the wallet stays busy, `refused` when Redis does not serve. */
  acquire(wallet: string): Promise<HeldLock>;
  /** Resolves when every started release has ended. */
  close(): Promise<void>;
}

interface WalletLockOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly waitMs: number;
}

/** Replaces redlock's scripts by functions of the library, which take many locks at once. Redlock passes their SHA-1. */
const FUNCTIONS = { acquireScript: () => 'lock', releaseScript: () => 'unlock' } as const;

function scriptClient({ client, prefix, waitMs: timeoutMs }: WalletLockOptions): ScriptClient {
  const call = (name: 'lock' | 'unlock', first: readonly string[]) =>
    createBatch(async (items: readonly (readonly string[])[]) => {
      const reply = await callOnce({ client, prefix, timeoutMs }, name, [...first, ...items.flat()]);
      return readLocks(reply, items.length);
    });
  const calls = { lock: call('lock', [String(HOLD_MS)]), unlock: call('unlock', []) };
  const unlockHash = createHash('sha1').update('unlock').digest('hex');
  return {
    evalsha: (hash, _, [wallet, token]) =>
      calls[hash === unlockHash ? 'unlock' : 'lock']([String(wallet), String(token)]),
    eval: () => Promise.reject(new Error('the functions are loaded with the ledger')),
  };
}

/** Why redlock failed: the wallet is locked, or Redis itself failed. */
async function causeOf(error: unknown): Promise<unknown> {
  const attempt = error instanceof ExecutionError ? await error.attempts[0] : undefined;
  return attempt?.votesAgainst.values().next().value ?? error;
}

/**
 * Orders the calls of one wallet: within this process by a queue, between processes by redlock. Correctness does not
 * depend on it. Only the head of the queue polls Redis, so a burst of calls does not.
 */
export function createWalletLock(options: WalletLockOptions): WalletLock {
  const { waitMs } = options;
  // Redlock's own retries would go on silently while Redis is unavailable, so `lockInRedis` retries instead.
  const redlock = new Redlock([scriptClient(options)], { retryCount: 0 }, FUNCTIONS);
  const tails = new Map<string, Promise<void>>();
  const releases = new Set<Promise<unknown>>();

  /** Releasing a lock that has lapsed fails, which is harmless. */
  function release(lock: Lock): void {
    const released = lock.release().catch(() => {});
    releases.add(released);
    void released.finally(() => releases.delete(released));
  }

  async function lockInRedis(wallet: string, untilMs: number): Promise<Lock> {
    for (;;) {
      try {
        return await redlock.acquire([wallet], HOLD_MS);
      } catch (error) {
        const cause = await causeOf(error);
        if (cause instanceof RedisSlowError) busy();
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
        return { token: lock.value, release: releaseAndLeave, leave };
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
