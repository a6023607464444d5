import { describeSkew } from '../services/platform/process/clock-skew.ts';
import type { Logger } from '../services/platform/process/logger.ts';
import { createRepeatedErrorLog } from '../services/platform/process/repeated-errors.ts';

export interface ClockWatch {
  /** Notes how far the clock of this machine is ahead of that of PostgreSQL, and logs notable skews of both servers. */
  note(postgresSkewMs: number): void;
  /** The last skew of each server in seconds; positive where the clock of this machine is ahead. */
  skews(): ReadonlyMap<string, number>;
}

const NOTABLE_MS = 1000;
const LOG_EVERY_MS = 3_600_000;

export function createClockWatch(options: {
  readonly redisSkewMs: () => number | undefined;
  readonly logger: Logger;
}): ClockWatch {
  const { redisSkewMs, logger } = options;
  const skewsMs = new Map<string, number>();
  const logOf = (server: string) =>
    createRepeatedErrorLog({ logger, fields: { server }, message: 'the clocks differ', everyMs: LOG_EVERY_MS });
  const logs = new Map(['Redis', 'PostgreSQL'].map((server) => [server, logOf(server)]));

  function readRedis(): void {
    const skewMs = redisSkewMs();
    if (skewMs !== undefined) skewsMs.set('Redis', skewMs);
  }

  return {
    note(postgresSkewMs) {
      skewsMs.set('PostgreSQL', postgresSkewMs);
      readRedis();
      for (const [server, skewMs] of skewsMs) {
        if (Math.abs(skewMs) > NOTABLE_MS) logs.get(server)?.(new Error(describeSkew(skewMs, server)));
      }
    },
    skews() {
      readRedis();
      return new Map(Array.from(skewsMs, ([server, skewMs]) => [server.toLowerCase(), skewMs / 1000]));
    },
  };
}
