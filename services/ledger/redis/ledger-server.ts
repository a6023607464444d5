import { replyWithin } from '../../platform/redis/redis-client.ts';
import { RedisReplyError } from '../../platform/redis/redis-replies.ts';
import type { LedgerServer } from '../contract/ledger.ts';
import type { CallOptions } from './function-calls.ts';

/** Asks Redis about itself. Its memory is missing where it hides that. */
export async function readServer({ client, timeoutMs }: CallOptions): Promise<LedgerServer> {
  const beganMs = performance.now();
  const info = await replyWithin(client, client.info(), timeoutMs);
  const milliseconds = performance.now() - beganMs;
  const version = fieldOf(info, 'redis_version');
  if (version === undefined) throw new RedisReplyError('INFO', info);
  return {
    version: fieldOf(info, 'valkey_version') ?? version,
    milliseconds,
    usedBytes: BigInt(fieldOf(info, 'used_memory') ?? 0),
    maxBytes: BigInt(fieldOf(info, 'maxmemory') ?? 0),
  };
}

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:([\\w.]+)\\r?$`, 'm').exec(info)?.[1];
