import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const OLDEST_MAJOR = 7;
const MUCH = 0.8;

/** Redis keeps locks and wake-ups only, so nothing that it loses is missed. */
export async function examineRedis(client: RedisClient): Promise<readonly Finding[]> {
  return [examineVersion(await client.info('server')), examineMemory(await client.info('memory'))];
}

/** A field of an answer to INFO. @throws {Error} if the answer lacks it */
function fieldOf(info: string, name: string): string {
  const [, value] = new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info) ?? [];
  if (value === undefined) throw new Error(`the answer to INFO has no ${name}`);
  return value;
}

function examineVersion(info: string): Finding {
  const version = fieldOf(info, 'redis_version');
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return ok('redis.version', version);
  return failure('redis.version', version, `upgrade Redis to ${OLDEST_MAJOR} or later`);
}

function examineMemory(info: string): Finding {
  const [used, limit] = [fieldOf(info, 'used_memory'), fieldOf(info, 'maxmemory')].map(Number);
  const check = 'redis.memory';
  const inMb = (bytes: number | undefined) => `${(Number(bytes) / 2 ** 20).toFixed(0)} MB`;
  if (limit === 0) return ok(check, `${inMb(used)} are used, without a limit`);
  const found = `${inMb(used)} of ${inMb(limit)} are used`;
  if (Number(used) < MUCH * Number(limit)) return ok(check, found);
  return warning(check, found, 'raise maxmemory: a full Redis refuses trials');
}
