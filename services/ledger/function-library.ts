import { readFileSync } from 'node:fs';
import type { RedisClient } from '../shared/redis-client.ts';

const NAME = 'tollhouse_ledger';
/** In this order: each uses what is before it. */
const PARTS = ['book', 'reserve', 'resolve', 'library'];
const CODE = PARTS.map((part) => readFileSync(new URL(`./functions/${part}.lua`, import.meta.url), 'utf8')).join('\n');

/** Loads the functions where Redis has none, or others. */
export async function ensureLibrary(client: RedisClient): Promise<void> {
  const [stored] = await client.functionListWithCode({ LIBRARYNAME: NAME });
  if (stored?.library_code !== CODE) await client.functionLoad(CODE, { REPLACE: true });
}
