import { setTimeout as delay } from 'node:timers/promises';
import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';

interface CallOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
}

type LedgerFunction = 'lock' | 'unlock' | 'reserve' | 'post' | 'void' | 'wallets' | 'totals' | 'overdue';

const RETRY_MS = 25;

/** Calls one function of the library once. */
export async function callOnce(options: CallOptions, name: LedgerFunction, args: readonly string[]): Promise<unknown> {
  const { client, prefix, timeoutMs } = options;
  return await answerWithin(client.fCall(`tollhouse_${name}`, { keys: [prefix], arguments: [...args] }), timeoutMs);
}

interface RepeatOptions {
  /** When to give up, on the clock of `performance.now()`. */
  readonly untilMs: number;
  /** Whether a call that certainly did nothing is repeated as well. */
  readonly isRefusalRepeated: boolean;
}

/** Redis said no, or was not asked: the call did nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof ErrorReply || error instanceof ClientOfflineError || error instanceof ClientClosedError;
}

/**
 * Makes a call that is idempotent by id, again and again while no answer comes. An answer after a lost one is
 * final although the lost call may still arrive: every outcome is remembered under the id, or stays true (a passed
 * deadline, a lapsed lock).
 * @throws {LedgerUnavailableError} `refused` when every call certainly did nothing, `uncertain` otherwise
 */
export async function callUntilAnswered<T>(call: () => Promise<T>, options: RepeatOptions): Promise<T> {
  let isLost = false;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof LedgerUnavailableError) throw error;
      isLost ||= !isRefusal(error);
      if ((!isLost && !options.isRefusalRepeated) || options.untilMs - performance.now() <= RETRY_MS) {
        const message = error instanceof Error ? error.message : String(error);
        throw new LedgerUnavailableError(isLost ? 'uncertain' : 'refused', message, { cause: error });
      }
      await delay(RETRY_MS);
    }
  }
}
