import { readFileSync } from 'node:fs';
import { defineLibrary } from '../../platform/redis/function-library.ts';
import type { RedisClient } from '../../platform/redis/redis-client.ts';

/** Format of the claims in Redis, as claims.lua describes it. The store has no number in the first format. */
const FORMAT = 1;

export const CLAIMS_LIBRARY = defineLibrary('claims', FORMAT, [
  readFileSync(new URL('claims.lua', import.meta.url), 'utf8'),
]);

/** Key of the store: its epoch, sequence and format. */
export const claimsStoreKey = (network: string) => `tollhouse:{${network}}:claims`;

/** The format of the stored claims. */
export async function readClaimsFormat(client: RedisClient, network: string): Promise<number> {
  const format = await client.hGet(claimsStoreKey(network), 'format');
  return format === null ? 1 : Number(format);
}
