import { readFileSync } from 'node:fs';
import { createRedisClient, type RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { outside } from '../engine/host.ts';

/** Changes the text of a library, to plant a fault. */
export type ChangeLibrary = (code: string) => string;

/** A real Redis that many simulated worlds share. Each has keys of its own. */
export interface SharedRedis {
  /** Loads a library, with the time and the expirations of simulated worlds. */
  load(code: string): Promise<void>;
  /** Calls a function at a time of a world. */
  call(name: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Deletes every key. */
  clear(): Promise<void>;
  close(): void;
}

const PROLOGUE = readFileSync(new URL('virtual-expiry.lua', import.meta.url), 'utf8');
const SCRIPTS = readFileSync(new URL('scripts.lua', import.meta.url), 'utf8');

/** @param url of a Redis that nothing else uses: all its data is deleted, and it is made to forget at a restart */
export async function openSharedRedis(url: string, change: ChangeLibrary = (code) => code): Promise<SharedRedis> {
  const client: RedisClient = createRedisClient({ url });
  await client.connect();
  // A simulated world outlives no restart of this Redis.
  await client.configSet('appendonly', 'no');
  const loaded = new Map<string, Promise<void>>();
  const load = async (code: string): Promise<void> => {
    const loading = loaded.get(code) ?? loadIntoRedis(client, change(code));
    loaded.set(code, loading);
    await loading;
  };
  await load(SCRIPTS);
  return {
    load: (code) => outside(() => load(code)),
    call: (name, keys, args) => outside(() => client.fCall(name, { keys: [...keys], arguments: [...args] })),
    async clear() {
      await client.flushAll();
    },
    close: () => client.destroy(),
  };
}

async function loadIntoRedis(client: RedisClient, code: string): Promise<void> {
  const [first = '', ...rest] = code.split('\n');
  await client.functionLoad([first, PROLOGUE, ...rest].join('\n'), { REPLACE: true });
}
