import { ErrorReply } from 'redis';
import type { RedisClient } from './redis-client.ts';
import { RedisReplyError } from './redis-replies.ts';

/** Settings without which a confirmed write can be lost, or a key can disappear. */
const REQUIRED: Readonly<Record<string, string>> = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};

async function unsafeSetting(client: RedisClient): Promise<string | undefined> {
  const found = await client.configGet(Object.keys(REQUIRED));
  for (const [name, value] of Object.entries(REQUIRED)) {
    const setting = found[name];
    if (typeof setting !== 'string') throw new RedisReplyError('CONFIG GET', found);
    if (setting !== value) return `${name} is ${setting}, not ${value}`;
  }
  return undefined;
}

/** A replica accepts no writes. With replicas, a failover may promote one that lacks confirmed writes. */
async function unsafeReplication(client: RedisClient): Promise<string | undefined> {
  const info = await client.info('replication');
  const [, role] = /^role:(\w+)\r?$/m.exec(info) ?? [];
  const [, replicas] = /^connected_slaves:(\d+)\r?$/m.exec(info) ?? [];
  if (role === undefined || replicas === undefined) throw new RedisReplyError('INFO replication', info);
  if (role !== 'master') return 'it is a replica';
  return replicas === '0' ? undefined : 'it has replicas: a failover would lose writes';
}

/**
 * Why this Redis may not hold money, or undefined when it may.
 * @param isVouched whether the operator vouches for durability and failover, for a managed Redis that forbids CONFIG.
 *   If Redis shows its settings, they must be safe nevertheless.
 */
export async function findUnsafe(client: RedisClient, isVouched: boolean): Promise<string | undefined> {
  try {
    const setting = await unsafeSetting(client);
    if (setting !== undefined) return setting;
  } catch (error) {
    const isForbidden = error instanceof ErrorReply && /^(NOPERM|ERR unknown command)/i.test(error.message);
    if (!isForbidden) throw error;
    return isVouched ? undefined : 'CONFIG is forbidden and nobody vouches for its durability';
  }
  return unsafeReplication(client);
}
