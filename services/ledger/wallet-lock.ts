import Redlock, { ExecutionError, ResourceLockedError, type ScriptClient } from 'redlock';
import { answerWithin, type RedisClient, RedisTimeoutError } from '../shared/redis-client.ts';
import { LedgerUnavailableError } from './ledger.ts';

/** Longer than a reservation may take, so that only a dead holder lets it lapse. */
const HOLD_MS = 2000;
const RETRY_MS = 20;

export interface HeldLock {
  /** What `reserve` checks to be still stored. */
  readonly token: string;
  /** Gives it back without making the holder wait; a failed release lapses. */
  release(): void;
}

export interface WalletLock {
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

/** Why redlock gave up: the wallet was busy, or Redis itself failed. */
async function refusalOf(error: unknown): Promise<LedgerUnavailableError> {
  const last = error instanceof ExecutionError ? await error.attempts.at(-1) : undefined;
  const cause = last?.votesAgainst.values().next().value ?? error;
  if (cause instanceof ResourceLockedError || cause instanceof RedisTimeoutError) {
    return new LedgerUnavailableError('lock_timeout', 'the wallet is busy', { cause });
  }
  return new LedgerUnavailableError('refused', 'the wallet could not be locked', { cause });
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
  const redlock = new Redlock([scriptClient(client, waitMs)], {
    retryCount: 0,
    retryDelay: RETRY_MS,
    retryJitter: RETRY_MS / 2,
  });
  const tails = new Map<string, Promise<void>>();
  const releases = new Set<Promise<unknown>>();

  async function lockInRedis(wallet: string, untilMs: number): Promise<HeldLock> {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new LedgerUnavailableError('lock_timeout', 'the wallet is busy');
    const acquiring = redlock.acquire([`${prefix}lock:${wallet}`], HOLD_MS, {
      retryCount: Math.floor(leftMs / RETRY_MS),
    });
    const release = () => {
      const released = acquiring.then((lock) => lock.release()).catch(() => {});
      releases.add(released);
      void released.finally(() => releases.delete(released));
    };
    try {
      const lock = await answerWithin(acquiring, leftMs);
      return { token: lock.value, release };
    } catch (error) {
      release();
      throw await refusalOf(error);
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
        if (before) await answerWithin(before, waitMs);
        const { token, release } = await lockInRedis(wallet, untilMs);
        const releaseAndLeave = () => {
          release();
          leave();
        };
        return { token, release: releaseAndLeave };
      } catch (error) {
        leave();
        throw error instanceof LedgerUnavailableError ? error : await refusalOf(error);
      }
    },
    async close() {
      await Promise.all(releases);
    },
  };
}
