import type { Hex } from 'viem';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { RedisReplyError } from '../../platform/redis/redis-replies.ts';
import { isBytes32 } from '../payment/hex.ts';

/**
 * Which transaction replaced which, for all copies of the service. The claims of a batch share a transaction. When one of
 * them has it replaced, the others find the replacement here. If Redis loses this, they see an unused authorization and
 * are sent again, which the token refuses for those that are paid.
 */
export interface Replacements {
  /** Notes a replacement, before it is sent. @throws when Redis does not answer */
  note(replaced: Hex, replacement: Hex): Promise<void>;
  /** A transaction and all its replacements, the latest at the end. @throws when Redis does not answer */
  versionsOf(transaction: Hex): Promise<readonly Hex[]>;
}

/** Longer than an authorization is valid. */
const KEPT_MS = 24 * 3_600_000;
/** A transaction must be replaced even when Redis is full. */
const SET = `#!lua flags=allow-oom
return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

export interface ReplacementsOptions {
  readonly client: RedisClient;
  /** Of the keys. */
  readonly prefix: string;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
}

export function createReplacements({ client, prefix, timeoutMs }: ReplacementsOptions): Replacements {
  const keyOf = (transaction: Hex) => `${prefix}replaced:${transaction}`.toLowerCase();
  return {
    async note(replaced, replacement) {
      const call = { keys: [keyOf(replaced)], arguments: [replacement, `${KEPT_MS}`] };
      await answerWithin(client.eval(SET, call), timeoutMs);
    },
    async versionsOf(transaction) {
      const versions = [transaction];
      for (let last: Hex = transaction; ; ) {
        const next = await answerWithin(client.get(keyOf(last)), timeoutMs);
        if (next === null) return versions;
        if (!isBytes32(next) || versions.includes(next)) throw new RedisReplyError('GET: a replacement', next);
        versions.push(next);
        last = next;
      }
    },
  };
}
