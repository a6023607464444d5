import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { findUnsafe } from '../../../../services/platform/redis/redis-safety.ts';
import { examineClock } from './examine-clocks.ts';
import { examineLibraries } from './examine-versions.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const OLDEST_MAJOR = 7;
const MUCH = 0.8;
const DURABLE =
  'set appendonly yes, appendfsync always and maxmemory-policy noeviction in redis.conf; use no replicas. ' +
  'The user of Redis needs +config|get, or set PAYMENT_DURABILITY_VOUCHED=true if a managed Redis hides its settings';

export interface RedisToExamine {
  readonly client: RedisClient;
  readonly isDurabilityVouched: boolean;
}

export async function examineRedis({ client, isDurabilityVouched }: RedisToExamine): Promise<readonly Finding[]> {
  const unsafe = await findUnsafe(client, isDurabilityVouched);
  return [
    examineVersion(await client.info('server')),
    unsafe === undefined
      ? ok('redis.durability', 'confirmed writes survive a crash, and no key is evicted')
      : failure('redis.durability', unsafe, DURABLE),
    examinePersistence(await client.info('persistence')),
    examineMemory(await client.info('memory')),
    await examineClock('redis', () => readTimeMs(client)),
    await examineLibraries(client),
  ];
}

/** Milliseconds since the epoch, by the clock of Redis. */
async function readTimeMs(client: RedisClient): Promise<number> {
  const [seconds, microseconds] = await client.time();
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
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

function examinePersistence(info: string): Finding {
  const check = 'redis.persistence';
  const written = fieldOf(info, 'aof_last_write_status');
  const rewritten = fieldOf(info, 'aof_last_bgrewrite_status');
  const found = `last write of the append-only file: ${written}; last rewrite: ${rewritten}`;
  const action = 'look at the disk of Redis and at its log';
  if (written !== 'ok') return failure(check, found, action);
  return rewritten === 'ok' ? ok(check, found) : warning(check, found, action);
}

function examineMemory(info: string): Finding {
  const [used, limit] = [fieldOf(info, 'used_memory'), fieldOf(info, 'maxmemory')].map(Number);
  const check = 'redis.memory';
  const inMb = (bytes: number | undefined) => `${(Number(bytes) / 2 ** 20).toFixed(0)} MB`;
  if (limit === 0) return ok(check, `${inMb(used)} are used, without a limit`);
  const found = `${inMb(used)} of ${inMb(limit)} are used`;
  if (Number(used) < MUCH * Number(limit)) return ok(check, found);
  return warning(check, found, 'raise maxmemory: a full Redis refuses trials and payments');
}
