import { setTimeout as delay } from 'node:timers/promises';
import Redlock, { ExecutionError, type Lock, ResourceLockedError, type ScriptClient } from 'redlock';
import { answerWithin, type RedisClient, RedisTimeoutError } from '../../platform/redis/redis-client.ts';
import { LedgerUnavailableError } from './ledger.ts';

/** How long a lock lasts. A reservation takes less time, so only the lock of a dead holder lapses. */
const HOLD_MS = 2000;
/** Redlock's own allowance: 1 % for clocks that run at different speeds, and 2 ms for the precision of Redis. */
const DRIFT_MS = HOLD_MS / 100 + 2;
const RETRY_MS = 20;

export interface HeldLock {
  /** How long the lock certainly holds; 0 or less: it may have lapsed. */
  leftMs(): number;
  /** Starts the release and does not wait for it. If the release fails, the lock lapses. */
  release(): void;
}

export interface WalletLocks {
  /** @throws {LedgerUnavailableError} `lock_timeout` when the wallet stays busy, `refused` when Redis does not serve */
  acquire(wallet: string): Promise<HeldLock>;
  /** Asks Redis now, or joins the question that is under way. @throws {Error} when Redis does not serve */
  check(): Promise<void>;
  /** Waits for the releases, and disconnects. */
  close(): Promise<void>;
}

export interface WalletLockOptions {
  /** A client that is not connected yet. The locks connect and close it. */
  readonly client: RedisClient;
  /** CAIP-2. */
  readonly network: string;
  /** Longest wait for a lock, and for one reply of Redis. */
  readonly waitMs: number;
  readonly monotonicMs: () => number;
}

/** Redlock calls ioredis, which has the keys and arguments in one list. */
function scriptClient(client: RedisClient): ScriptClient {
  const split = (keys: number, list: readonly (string | number)[]) => {
    const texts = list.map(String);
    return { keys: texts.slice(0, keys), arguments: texts.slice(keys) };
  };
  return {
    evalsha: (hash, keys, args) => client.evalSha(hash, split(keys, args)),
    eval: (script, keys, args) => client.eval(script, split(keys, args)),
  };
}

/** Why redlock failed: the wallet is locked, or Redis itself failed. */
async function causeOf(error: unknown): Promise<unknown> {
  const attempt = error instanceof ExecutionError ? await error.attempts[0] : undefined;
  return attempt?.votesAgainst.values().next().value ?? error;
}

/**
 * Orders the reserves of one wallet: within this process by a queue, between processes by redlock. The books do not depend
 * on it, so Redis may lose its locks at any time. Only the head of the queue polls Redis, so a burst of calls does not.
 */
export function createWalletLocks({ client, network, waitMs, monotonicMs }: WalletLockOptions): WalletLocks {
  // Without `retryCount: 0`, redlock would retry silently while Redis is unavailable. `lockInRedis` retries instead.
  const redlock = new Redlock([scriptClient(client)], { retryCount: 0 });
  const tails = new Map<string, Promise<void>>();
  const releases = new Set<Promise<unknown>>();
  let probed: Promise<unknown> | undefined;
  client.connect().catch(() => {});

  /** Releasing a lock that has lapsed fails, which is harmless. */
  function release(lock: Lock): void {
    const released = answerWithin(lock.release(), waitMs).catch(() => {});
    releases.add(released);
    void released.finally(() => releases.delete(released));
  }

  /** @param hasWaited whether the wallet was busy so far: then the end of the wait tells nothing about Redis */
  async function lockInRedis(
    key: string,
    untilMs: number,
    hasWaited: boolean,
  ): Promise<{ readonly lock: Lock; readonly endsMs: number }> {
    for (let isBusy = hasWaited; ; isBusy = true) {
      const endsMs = monotonicMs() + HOLD_MS - DRIFT_MS;
      const acquired = redlock.acquire([key], HOLD_MS);
      try {
        return { lock: await answerWithin(acquired, Math.max(1, untilMs - monotonicMs())), endsMs };
      } catch (error) {
        // If Redis was only slow, nobody waits for this lock any more.
        acquired.then(release, () => {});
        const cause = await causeOf(error);
        if (isBusy && cause instanceof RedisTimeoutError) throw busy();
        if (!(cause instanceof ResourceLockedError)) {
          throw new LedgerUnavailableError('refused', `the wallet could not be locked: ${String(cause)}`, { cause });
        }
        if (monotonicMs() + RETRY_MS > untilMs) throw busy();
        await delay(RETRY_MS * (0.5 + Math.random()));
      }
    }
  }

  return {
    async acquire(wallet) {
      const untilMs = monotonicMs() + waitMs;
      const key = `tollhouse:{${network}}:lock:${wallet}`;
      const before = tails.get(wallet);
      const turn = Promise.withResolvers<void>();
      tails.set(wallet, turn.promise);
      const leave = () => {
        if (tails.get(wallet) === turn.promise) tails.delete(wallet);
        turn.resolve();
      };
      try {
        if (before !== undefined) await answerWithin(before, waitMs).catch(() => Promise.reject(busy()));
        const { lock, endsMs } = await lockInRedis(key, untilMs, before !== undefined);
        return {
          leftMs: () => endsMs - monotonicMs(),
          release() {
            release(lock);
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async check() {
      // A Redis that is full, or became a replica, answers a PING and takes no lock.
      const write = () => client.sendCommand(['SET', `tollhouse:${network}:probe`, '1', 'PX', '1000']);
      probed ??= answerWithin(write(), waitMs).finally(() => {
        probed = undefined;
      });
      await probed;
    },
    async close() {
      await Promise.all(releases);
      client.destroy();
    },
  };
}

const busy = () => new LedgerUnavailableError('lock_timeout', 'the wallet is busy');
