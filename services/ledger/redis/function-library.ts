import { readFileSync } from 'node:fs';
import type { RedisClient } from '../../platform/redis/redis-client.ts';
import { ensureFunctions } from '../../platform/redis/redis-functions.ts';

const NAME = 'tollhouse_ledger';
/** Order matters: each part uses the ones before it. */
const PARTS = ['book', 'reserve', 'resolve', 'library'];
const CODE = PARTS.map((part) => readFileSync(new URL(`./functions/${part}.lua`, import.meta.url), 'utf8')).join('\n');

/** Loads the functions unless Redis has exactly these. */
export const ensureLibrary = (client: RedisClient): Promise<void> => ensureFunctions(client, NAME, CODE);

/** Whether Redis has these functions, of any release. */
export async function hasLibrary(client: RedisClient): Promise<boolean> {
  return (await client.functionList({ LIBRARYNAME: NAME })).length > 0;
}
