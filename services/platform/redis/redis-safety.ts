import { ErrorReply } from 'redis';
import type { RedisClient } from './redis-client.ts';

/** Settings without which an answered write can be lost, or a key can vanish. */
const REQUIRED: Readonly<Record<string, string>> = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};

async function unsafeSetting(client: RedisClient): Promise<string | undefined> {
  const found = await client.configGet(Object.keys(REQUIRED));
  for (const [name, value] of Object.entries(REQUIRED)) {
    if (found[name] !== value) return `${name} is ${found[name]}, not ${value}`;
  }
  return undefined;
}

/** A replica serves no writes; with replicas, a failover may promote one that lacks acknowledged writes. */
async function unsafeReplication(client: RedisClient): Promise<string | undefined> {
  const info = await client.info('replication');
  if (!/^role:master\r?$/m.test(info)) return 'it is a replica';
  if (!/^connected_slaves:0\r?$/m.test(info)) return 'it has replicas: a failover would lose writes';
  return undefined;
}

/**
 * Why this Redis may not hold money, or undefined when it may.
 * @param isVouched the operator answers for durability and failover, for a managed Redis that forbids CONFIG.
 *   What Redis does tell is held against it all the same.
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
