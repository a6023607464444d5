import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Redlock, { ExecutionError, type Lock, ResourceLockedError, type ScriptClient } from 'redlock';
import { createBatch } from '../../platform/batch.ts';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { callOnce } from './function-calls.ts';

/** Longer than a reservation may take, so that only a dead holder lets it lapse. */
const HOLD_MS = 2000;
const RETRY_MS = 20;

interface HeldLock {
  /** What `reserve` checks to be still stored. */
  readonly token: string;
  /** Gives it back without making the holder wait; a failed release lapses. */
  release(): void;
  /** In place of `release` when it is given back already. */
  leave(): void;
}

interface WalletLock {
  /** @throws {LedgerUnavailableError} `lock_timeout` when the wallet stays busy, `refused` when Redis does not serve. */
  acquire(wallet: string): Promise<HeldLock>;
  /** Ends when every release has been answered. */
  close(): Promise<void>;
}

interface WalletLockOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly waitMs: number;
}

/** In place of redlock's scripts: functions of the library that take many locks at once. It knows them by their SHA-1. */
const FUNCTIONS = { acquireScript: () => 'lock', releaseScript: () => 'unlock' } as const;

function scriptClient({ client, prefix, waitMs: timeoutMs }: WalletLockOptions): ScriptClient {
  const call = (name: 'lock' | 'unlock', first: readonly string[]) =>
    createBatch(async (items: readonly (readonly string[])[]) => {
      return (await callOnce({ client, prefix, timeoutMs }, name, [...first, ...items.flat()])) as readonly number[];
    });
  const calls = { lock: call('lock', [String(HOLD_MS)]), unlock: call('unlock', []) };
  const unlockHash = createHash('sha1').update('unlock').digest('hex');
  return {
    evalsha: (hash, _, [wallet, token]) =>
      calls[hash === unlockHash ? 'unlock' : 'lock']([String(wallet), String(token)]),
    eval: () => Promise.reject(new Error('the functions are loaded with the ledger')),
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
export function createWalletLock(options: WalletLockOptions): WalletLock {
  const { waitMs } = options;
  // Its own retries would go on, silently, while Redis is away: they are made here.
  const redlock = new Redlock([scriptClient(options)], { retryCount: 0 }, FUNCTIONS);
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
        return await redlock.acquire([wallet], HOLD_MS);
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
