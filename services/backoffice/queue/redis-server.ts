import type { StoreFigures } from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { RedisQueue } from './redis-queue.ts';

/** Asks Redis about itself. Its memory is missing where it hides that. */
export async function readServer({ info: ask }: Pick<RedisQueue, 'info'>): Promise<StoreFigures> {
  const beganMs = performance.now();
  const info = await ask();
  const milliseconds = performance.now() - beganMs;
  const version = fieldOf(info, 'redis_version');
  if (version === undefined) throw new Error('Redis answered INFO without a version');
  return {
    version: fieldOf(info, 'valkey_version') ?? version,
    milliseconds,
    usedBytes: BigInt(fieldOf(info, 'used_memory') ?? 0),
    maxBytes: BigInt(fieldOf(info, 'maxmemory') ?? 0),
  };
}

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:([\\w.]+)\\r?$`, 'm').exec(info)?.[1];
