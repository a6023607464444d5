import { setTimeout as delay } from 'node:timers/promises';
import { ClientClosedError, ClientOfflineError, ErrorReply } from 'redis';
import { LaterFormatError } from '../../platform/redis/later-format.ts';
import { type RedisClient, replyWithin } from '../../platform/redis/redis-client.ts';
import { callFunction } from '../../platform/redis/redis-functions.ts';
import { RedisReplyError } from '../../platform/redis/redis-replies.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { LEDGER_LIBRARY } from './function-library.ts';

export interface CallOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  /** Longest wait for one reply. */
  readonly timeoutMs: number;
}

type LedgerFunction =
  | 'lock'
  | 'unlock'
  | 'reserve'
  | 'charge'
  | 'fund'
  | 'post'
  | 'void'
  | 'wallets'
  | 'channels'
  | 'totals'
  | 'open_reservations'
  | 'overdue';

const RETRY_MS = 25;

/** Calls one function of the library once. The caller must check the reply, for example with a reader of ledger-replies. */
export async function callOnce(options: CallOptions, name: LedgerFunction, args: readonly string[]): Promise<unknown> {
  const { client, prefix, timeoutMs } = options;
  return replyWithin(client, callFunction(client, LEDGER_LIBRARY, { name, keys: [prefix], args }), timeoutMs);
}

interface RepeatOptions {
  /** When to give up, on the clock of `performance.now()`. */
  readonly untilMs: number;
  /** Whether to repeat a call that certainly had no effect. */
  readonly isRefusalRepeated: boolean;
}

/** Whether Redis refused the call or never received it. Then the call had no effect. */
function isRefusal(error: unknown): boolean {
  const isUnsent = error instanceof ClientOfflineError || error instanceof ClientClosedError;
  return isUnsent || error instanceof ErrorReply || error instanceof LaterFormatError;
}

/**
 * Makes a call that is idempotent by id, and repeats it while replies are lost. A reply after a lost one is final, even
 * if the lost call arrives later: Redis remembers every outcome under the id, or the outcome stays true (a passed
 * deadline, a lapsed lock). A malformed reply is not repeated, and neither is a refusal of a ledger of a later release.
 * @throws {LedgerUnavailableError} `refused` or `not_ready` when every call certainly had no effect, `uncertain` otherwise
 */
export async function callUntilAnswered<T>(call: () => Promise<T>, options: RepeatOptions): Promise<T> {
  let isLost = false;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof LedgerUnavailableError) throw error;
      isLost ||= !isRefusal(error);
      const isHopeless = error instanceof RedisReplyError || error instanceof LaterFormatError;
      const isOver = options.untilMs - performance.now() <= RETRY_MS || isHopeless;
      if ((!isLost && !options.isRefusalRepeated) || isOver) {
        const message = error instanceof Error ? error.message : String(error);
        const code = error instanceof LaterFormatError ? 'not_ready' : 'refused';
        throw new LedgerUnavailableError(isLost ? 'uncertain' : code, message, { cause: error });
      }
      await delay(RETRY_MS);
    }
  }
}
