import { describeSkew } from '../process/clock-skew.ts';
import { answerWithin, type RedisClient } from './redis-client.ts';

export interface RedisClock {
  /** Milliseconds since the epoch by the clock of Redis, or by the local one until the first measurement. */
  now(): number;
  /** How far the local clock is ahead; undefined until the first measurement. */
  skewMs(): number | undefined;
  /** Asks Redis for its time, and says why the local clock may not be trusted, or undefined. */
  findFault(): Promise<string | undefined>;
}

/**
 * The clock of Redis decides on deadlines and expirations, for all copies alike. Between two measurements it is
 * continued by the monotonic clock, so a step of the local clock changes nothing.
 */
export function createRedisClock(options: {
  readonly client: RedisClient;
  readonly timeoutMs: number;
  /** The largest difference at which the local clock still counts as right. */
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
      const redisMs = parseTime(await answerWithin(client.sendCommand(['TIME']), timeoutMs));
      // The answer was made between the two moments: it is taken to be half-way.
      offsetMs = redisMs - (sentMs + performance.now()) / 2;
      const skew = Date.now() - now();
      if (Math.abs(skew) <= toleranceMs) return undefined;
      return `${describeSkew(skew, 'Redis')}, more than ${toleranceMs / 1000} s`;
    },
  };
}

function parseTime(reply: unknown): number {
  const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : [];
  if (
    seconds === undefined ||
    micros === undefined ||
    !Number.isSafeInteger(seconds) ||
    !Number.isSafeInteger(micros)
  ) {
    throw new Error('Redis did not say its time');
  }
  return seconds * 1000 + micros / 1000;
}
