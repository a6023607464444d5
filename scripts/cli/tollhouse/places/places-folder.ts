import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SET_ENDING } from '../../../../services/maps/contract/address-sets.ts';

/** The folder that holds sets of addresses, one file for each: NAME.places. */
export interface PlacesFolder {
  /** Names of the sets, ascending. */
  names(): Promise<readonly string[]>;
  fileOf(name: string): string;
  /**
   * Writes a set beside the one of the same name, and then puts it in its place in one step (rename). What an import that
   * was killed left behind is removed.
   */
  replace<Result>(name: string, write: (file: string) => Result): Promise<Result>;
  /** @returns false if there is no set of that name */
  remove(name: string): Promise<boolean>;
}

const UNFINISHED = '.importing';
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export function isSetName(name: string): boolean {
  return NAME.test(name);
}

export function openPlacesFolder(folder: string): PlacesFolder {
  const fileOf = (name: string) => join(folder, `${name}${SET_ENDING}`);
  const list = async () => {
    await mkdir(folder, { recursive: true });
    return readdir(folder);
  };
  return {
    fileOf,
    names: async () => {
      const files = await list();
      return files.flatMap((file) => (file.endsWith(SET_ENDING) ? [file.slice(0, -SET_ENDING.length)] : [])).toSorted();
    },
    replace: async (name, write) => {
      const left = (await list()).filter((file) => file.startsWith(`${name}.`) && file.endsWith(UNFINISHED));
      for (const file of left) await rm(join(folder, file), { force: true });
      const unfinished = join(folder, `${name}.${randomUUID()}${UNFINISHED}`);
      try {
        const result = write(unfinished);
        await flush(unfinished);
        await rename(unfinished, fileOf(name));
        await flush(folder);
        return result;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    remove: async (name) => {
      if (!(await list()).includes(`${name}${SET_ENDING}`)) return false;
      await rm(fileOf(name));
      return true;
    },
  };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
