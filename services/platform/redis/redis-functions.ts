import type { RedisClient } from './redis-client.ts';

/** Loads a library of functions unless Redis has exactly this one. */
export async function ensureFunctions(client: RedisClient, name: string, code: string): Promise<void> {
  const [stored] = await client.functionListWithCode({ LIBRARYNAME: name });
  if (stored?.library_code !== code) await client.functionLoad(code, { REPLACE: true });
}
