import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Redlock, { ExecutionError, type Lock, ResourceLockedError, type ScriptClient } from 'redlock';
import { createBatch } from '../../platform/batch.ts';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { callOnce } from './function-calls.ts';
import { readLocks } from './ledger-replies.ts';

/** How long a lock lasts. A reservation takes less time, so only the lock of a dead holder lapses. */
const HOLD_MS = 2000;
const RETRY_MS = 20;

/** The right of one call to reserve from a wallet, among the calls of this process. */
interface WalletTurn {
  /**
   * Waits until no other process has locked the wallet, and locks it.
   * @returns the token of the lock, with which `reserve` releases it
   * @throws {LedgerUnavailableError} `lock_timeout` when the wallet stays busy, `refused` when Redis does not serve.
   */
  lock(): Promise<string>;
  /** Ends the turn. A lock that `reserve` did not release is released in the background; if that fails, it lapses. */
  end(outcome: { readonly isLockReleased: boolean }): void;
}

interface WalletLock {
  /** @throws {LedgerUnavailableError} `lock_timeout` when earlier calls of this process keep the wallet busy. */
  takeTurn(wallet: string): Promise<WalletTurn>;
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
 * depend on it. A call takes the lock only if it finds the wallet locked. Only the head of the queue polls Redis, so a
 * burst of calls does not.
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
        if (!(cause instanceof ResourceLockedError)) {
          throw new LedgerUnavailableError('refused', `the wallet could not be locked: ${String(cause)}`, { cause });
        }
        if (performance.now() + RETRY_MS > untilMs) busy();
        await delay(RETRY_MS * (0.5 + Math.random()));
      }
    }
  }

  return {
    async takeTurn(wallet) {
      const untilMs = performance.now() + waitMs;
      const before = tails.get(wallet);
      const turn = Promise.withResolvers<void>();
      tails.set(wallet, turn.promise);
      let lock: Lock | undefined;
      const end: WalletTurn['end'] = ({ isLockReleased }) => {
        if (lock !== undefined && !isLockReleased) release(lock);
        if (tails.get(wallet) === turn.promise) tails.delete(wallet);
        turn.resolve();
      };
      try {
        if (before) await answerWithin(before, waitMs).catch(busy);
      } catch (error) {
        end({ isLockReleased: true });
        throw error;
      }
      return {
        async lock() {
          lock = await lockInRedis(wallet, untilMs);
          return lock.value;
        },
        end,
      };
    },
    async close() {
      await Promise.all(releases);
    },
  };
}

function busy(): never {
  throw new LedgerUnavailableError('lock_timeout', 'the wallet is busy');
}
