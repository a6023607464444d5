import { Type } from 'typebox';
import { describeSkew } from '../process/clock-skew.ts';
import { answerWithin, type RedisClient } from './redis-client.ts';
import { createReplyReader } from './redis-replies.ts';

export interface RedisClock {
  /** Milliseconds since the epoch by the clock of Redis. Until the first measurement, by the local clock. */
  now(): number;
  /** How far the local clock is ahead; undefined until the first measurement. */
  skewMs(): number | undefined;
  /** Measures the skew. Returns why the local clock may not be trusted, or undefined. */
  findFault(): Promise<string | undefined>;
}

/**
 * The clock of Redis, which decides on deadlines and expirations for all copies. Between two measurements the monotonic
 * clock continues it, so a step of the local clock has no effect.
 */
export function createRedisClock(options: {
  readonly client: RedisClient;
  readonly timeoutMs: number;
  /** Largest accepted difference of the local clock. */
  readonly toleranceMs: number;
}): RedisClock {
  const { client, timeoutMs, toleranceMs } = options;
  /** Time of Redis minus that of the monotonic clock. */
  let offsetMs: number | undefined;

  const now = () => (offsetMs === undefined ? Date.now() : Math.round(performance.now() + offsetMs));
  const skewMs = () => (offsetMs === undefined ? undefined : Date.now() - now());

  return {
    now,
    skewMs,
    async findFault() {
      const sentMs = performance.now();
      const redisMs = await readRedisTimeMs(client, timeoutMs);
      // Redis replied between the two times. The middle is assumed.
      offsetMs = redisMs - (sentMs + performance.now()) / 2;
      const skew = Date.now() - now();
      if (Math.abs(skew) <= toleranceMs) return undefined;
      return `${describeSkew(skew, 'Redis')}, more than ${toleranceMs / 1000} s`;
    },
  };
}

/** Milliseconds since the epoch by the clock of Redis. */
export async function readRedisTimeMs(client: RedisClient, timeoutMs: number): Promise<number> {
  return parseTime(await answerWithin(client.sendCommand(['TIME']), timeoutMs));
}

const Whole = Type.String({ pattern: '^[0-9]{1,15}$' });
const readTime = createReplyReader('TIME', Type.Tuple([Whole, Whole]));

/** Milliseconds since the epoch. @throws {RedisReplyError} */
function parseTime(reply: unknown): number {
  const [seconds, micros] = readTime(reply);
  return Number(seconds) * 1000 + Number(micros) / 1000;
}
