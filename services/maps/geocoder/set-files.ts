import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetFile } from '../../../workers/geocoding/addresses/address-sets.ts';
import { SET_ENDING } from '../contract/address-sets.ts';

/** The sets in a folder. A set that was replaced or removed is noticed within a second. */
export interface SetFiles {
  /** By name, without those that are left out. */
  at(atMs: number): Promise<readonly SetFile[]>;
  /** Leaves out a file until it is replaced. @returns false if it was left out already */
  leaveOut(file: SetFile): boolean;
}

const CHECK_MS = 1000;

export function watchSets(folder: string): SetFiles {
  let checkedMs = Number.NEGATIVE_INFINITY;
  let sets: Promise<readonly SetFile[]> = Promise.resolve([]);
  let leftOut: ReadonlySet<string> = new Set();
  const read = async () => {
    const found = await listSets(folder);
    const keys = new Set(found.map(keyOf));
    leftOut = new Set([...leftOut].filter((key) => keys.has(key)));
    return found;
  };
  return {
    at: async (atMs) => {
      // A clock that was set back must not keep old sets in use.
      if (Math.abs(atMs - checkedMs) >= CHECK_MS) {
        checkedMs = atMs;
        const before = sets;
        // Without the folder, the sets that are open go on.
        sets = read().catch(() => before);
      }
      return (await sets).filter((set) => !leftOut.has(keyOf(set)));
    },
    leaveOut: (file) => {
      const isNew = !leftOut.has(keyOf(file));
      leftOut = new Set([...leftOut, keyOf(file)]);
      return isNew;
    },
  };
}

function keyOf({ file, version }: SetFile): string {
  return `${version} ${file}`;
}

/** @throws {Error} if the folder cannot be read */
export async function listSets(folder: string): Promise<readonly SetFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SET_ENDING)).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      // It may have been removed since.
      const stats = await stat(file).catch(() => undefined);
      return stats && { file, version: `${stats.ino} ${stats.mtimeMs} ${stats.size}`, bytes: stats.size };
    }),
  );
  return found.filter((set) => set !== undefined);
}
