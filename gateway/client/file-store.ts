import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from './store.ts';

export type { Store, StoreEntry } from './store.ts';

const SUFFIX = '.payment';

/** Keeps open payments in files of a folder, which is created if it is missing and only its owner can read. For Node. */
export function createFileStore(folder: string): Store {
  const pathOf = (name: string) => join(folder, name + SUFFIX);
  return {
    async set(name, value) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = `${pathOf(name)}.draft`;
      const file = await open(draft, 'w', 0o600);
      try {
        await file.writeFile(value);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, pathOf(name));
      // The name of a new file is durable with its folder.
      const directory = await open(folder, 'r');
      await directory.sync().finally(() => directory.close());
    },
    delete: (name) => rm(pathOf(name), { force: true }),
    async list(prefix) {
      const files = await readdir(folder).catch((error) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const names = files.filter((file) => file.startsWith(prefix) && file.endsWith(SUFFIX)).sort();
      const entries = await Promise.all(
        names.map(async (file) => ({
          name: file.slice(0, -SUFFIX.length),
          value: await readUnlessGone(join(folder, file)),
        })),
      );
      return entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
    },
  };
}

/** Another process may have deleted what it has answered. */
async function readUnlessGone(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
