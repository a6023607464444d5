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
   * @throws {SetWriteError} if it cannot be written; the set of the same name stays
   */
  replace<Result>(name: string, write: (file: string) => Result): Promise<Result>;
  /** @returns false if there is no set of that name */
  remove(name: string): Promise<boolean>;
}

/** A set could not be written: the disk is full, or the folder is not writable. */
export class SetWriteError extends Error {
  override readonly name = 'SetWriteError';

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${file}: the set could not be written, and what was there is unchanged: ${reason}`, { cause });
  }
}

const UNFINISHED = '.importing';
/** Files beside a set that is written: its own, and those that SQLite may put beside it. */
const LEFT = /\.importing(-[a-z]+)?$/;
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
      const removeLeft = async (start: string) => {
        const left = (await list()).filter((file) => file.startsWith(start) && LEFT.test(file));
        for (const file of left) await rm(join(folder, file), { force: true });
      };
      const own = `${name}.${randomUUID()}${UNFINISHED}`;
      const unfinished = join(folder, own);
      try {
        await removeLeft(`${name}.`);
        const result = write(unfinished);
        await flush(unfinished);
        await rename(unfinished, fileOf(name));
        await flush(folder);
        return result;
      } catch (error) {
        await removeLeft(own).catch(() => undefined);
        throw new SetWriteError(fileOf(name), error);
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
