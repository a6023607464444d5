import { readFileSync } from 'node:fs';
import type { RedisClient } from '../shared/redis-client.ts';

const NAME = 'tollhouse_ledger';
const CODE = readFileSync(new URL('./ledger.lua', import.meta.url), 'utf8');

/** Loads the functions where Redis has none, or others. */
export async function ensureLibrary(client: RedisClient): Promise<void> {
  const [stored] = await client.functionListWithCode({ LIBRARYNAME: NAME });
  if (stored?.library_code !== CODE) await client.functionLoad(CODE, { REPLACE: true });
}
