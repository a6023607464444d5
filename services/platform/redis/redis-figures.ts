import type { RedisClient } from './redis-client.ts';

/** What Redis says of itself. */
export interface RedisFigures {
  readonly version: string;
  /** Until it answered. */
  readonly milliseconds: number;
  readonly usedBytes: number;
  /** 0: no limit. */
  readonly maxBytes: number;
}

/** Asks Redis about itself. Its memory is 0 where it hides that. */
export async function readRedisFigures(client: Pick<RedisClient, 'info'>): Promise<RedisFigures> {
  const beganMs = performance.now();
  const info = await client.info();
  const milliseconds = performance.now() - beganMs;
  const version = fieldOf(info, 'valkey_version') ?? fieldOf(info, 'redis_version');
  if (version === undefined) throw new Error('Redis answered INFO without a version');
  return {
    version,
    milliseconds,
    usedBytes: Number(fieldOf(info, 'used_memory') ?? 0),
    maxBytes: Number(fieldOf(info, 'maxmemory') ?? 0),
  };
}

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:([\\w.]+)\\r?$`, 'm').exec(info)?.[1];
