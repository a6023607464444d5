import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { type RedisFigures, readRedisFigures } from '../../../../services/platform/redis/redis-figures.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const OLDEST_MAJOR = 7;
const MUCH = 0.8;

/** Redis keeps locks only, so nothing that it loses is missed. */
export async function examineRedis(client: RedisClient): Promise<readonly Finding[]> {
  const figures = await readRedisFigures(client);
  return [examineVersion(figures), examineMemory(figures)];
}

function examineVersion({ version }: RedisFigures): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return ok('redis.version', version);
  return failure('redis.version', version, `upgrade Redis to ${OLDEST_MAJOR} or later`);
}

function examineMemory({ usedBytes, maxBytes }: RedisFigures): Finding {
  const check = 'redis.memory';
  const inMb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  if (maxBytes === 0) return ok(check, `${inMb(usedBytes)} are used, without a limit`);
  const found = `${inMb(usedBytes)} of ${inMb(maxBytes)} are used`;
  if (usedBytes < MUCH * maxBytes) return ok(check, found);
  return warning(check, found, 'raise maxmemory: a full Redis refuses trials');
}
