import { ErrorReply } from 'redis';
import type { FunctionLibrary } from './function-library.ts';
import { answerWithin, type RedisClient } from './redis-client.ts';
import { readRedisTimeMs } from './redis-clock.ts';
import { loadLibrary } from './redis-functions.ts';

/** Hash: the name of each library and when a process last noted that it uses it, in milliseconds by the clock of Redis. */
export const LIBRARY_USES = 'tollhouse:libraries';
const NOTE_EVERY_MS = 3_600_000;
/** A library that no process has used for this long is removed. */
export const UNUSED_KEPT_MS = 7 * 86_400_000;

/** Names of the libraries of any release. Earlier releases gave them no version. */
const ANY_LIBRARY = /^tollhouse_(?:ledger|claims)(?:_[0-9a-f]{10})?$/;

export interface LibraryUse {
  readonly name: string;
  /** Undefined if no process has noted a use. */
  readonly lastUsedMs: number | undefined;
}

/** The libraries that Redis has, of this and other releases. */
export async function listLibraries(client: RedisClient): Promise<readonly LibraryUse[]> {
  const [libraries, uses] = await Promise.all([
    client.functionList({ LIBRARYNAME: 'tollhouse_*' }),
    client.hGetAll(LIBRARY_USES),
  ]);
  const names = libraries.map(({ library_name: name }) => String(name)).filter((name) => ANY_LIBRARY.test(name));
  return names
    .toSorted()
    .map((name) => ({ name, lastUsedMs: uses[name] === undefined ? undefined : Number(uses[name]) }));
}

export interface LibraryOptions {
  readonly client: RedisClient;
  readonly library: FunctionLibrary;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
  readonly onError?: (error: Error) => void;
}

/**
 * Creates a function that loads the library if it is missing. At most once an hour it also notes that the library is in
 * use, and removes libraries that are not. A failure of that is reported and does not matter to the store.
 */
export function createLibraryLoader(options: LibraryOptions): () => Promise<void> {
  const { client, library, timeoutMs, onError } = options;
  let notedAtMs: number | undefined;
  return async () => {
    const isLoaded = await answerWithin(loadLibrary(client, library), timeoutMs);
    const isNoted = notedAtMs !== undefined && performance.now() - notedAtMs < NOTE_EVERY_MS;
    if (isNoted && !isLoaded) return;
    try {
      await answerWithin(noteUse(options), timeoutMs);
      notedAtMs = performance.now();
    } catch (error) {
      onError?.(new Error(`the use of ${library.name} could not be noted`, { cause: error }));
    }
  };
}

/**
 * A process whose library is removed nevertheless loads it again at its next call. So a process that was stopped for a
 * week, or a wrong clock, does no harm.
 */
async function noteUse({ client, library, timeoutMs }: LibraryOptions): Promise<void> {
  const nowMs = Math.floor(await readRedisTimeMs(client, timeoutMs));
  await client.hSet(LIBRARY_USES, library.name, nowMs);
  for (const { name, lastUsedMs } of await listLibraries(client)) {
    // A library of a release that notes nothing, or whose note was lost: its time begins now.
    if (lastUsedMs === undefined) await client.hSetNX(LIBRARY_USES, name, String(nowMs));
    else if (lastUsedMs < nowMs - UNUSED_KEPT_MS) await remove(client, name);
  }
}

async function remove(client: RedisClient, name: string): Promise<void> {
  await client.functionDelete(name).catch((error: unknown) => {
    // Another process was faster.
    if (!(error instanceof ErrorReply && error.message === 'ERR Library not found')) throw error;
  });
  await client.hDel(LIBRARY_USES, name);
}
