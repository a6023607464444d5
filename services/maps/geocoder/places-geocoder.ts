import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetFile } from '../../../workers/geocoding/addresses/address-sets.ts';
import { runTask } from '../../platform/pools/run-task.ts';
import { SET_ENDING } from '../contract/address-sets.ts';
import type { GeocodingPool } from './gazetteer-geocoder.ts';
import type { Geocoder } from './geocoder.ts';

/**
 * Own addresses first, and `next` for what they do not have. An unsure own address comes after the answers of `next`, because
 * the name of a town is often that of a street too.
 * @param folder holds the sets of addresses
 */
export function createPlacesGeocoder(pool: GeocodingPool, folder: string, next: Geocoder): Geocoder {
  const setsAt = watchSets(folder);
  return {
    geocode: async (query, context) => {
      const { atMs, ...options } = context;
      const sets = await setsAt(atMs);
      const own = sets.length === 0 ? [] : await runTask(pool, { kind: 'address', sets, query, atMs }, options);
      if (own.some(({ confidence }) => confidence !== 'Low')) return own;
      const others = await next.geocode(query, context);
      return [...others, ...own].slice(0, query.limit);
    },
    reverse: async (query, context) => {
      const { atMs, ...options } = context;
      const sets = await setsAt(atMs);
      const own = sets.length === 0 ? [] : await runTask(pool, { kind: 'address-at', sets, query, atMs }, options);
      return own.length > 0 ? own : next.reverse(query, context);
    },
  };
}

const CHECK_MS = 1000;

/** The sets in a folder, by name. A set that was replaced or removed is noticed within a second. */
function watchSets(folder: string): (atMs: number) => Promise<readonly SetFile[]> {
  let checkedMs = Number.NEGATIVE_INFINITY;
  let sets: Promise<readonly SetFile[]> = Promise.resolve([]);
  return (atMs) => {
    // A clock that was set back must not keep old sets in use.
    if (Math.abs(atMs - checkedMs) < CHECK_MS) return sets;
    checkedMs = atMs;
    const before = sets;
    // Without the folder, the sets that are open go on.
    sets = listSets(folder).catch(() => before);
    return sets;
  };
}

/** @throws {Error} if the folder cannot be read */
export async function listSets(folder: string): Promise<readonly SetFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SET_ENDING)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      // It may have been removed since.
      const stats = await stat(file).catch(() => undefined);
      return stats && { file, version: `${stats.ino} ${stats.mtimeMs} ${stats.size}` };
    }),
  );
  return found.filter((set) => set !== undefined);
}
