import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const PAGE = /\.html?(?:\.gz)?$/;

export interface FoundPage {
  /** The folder directly below the given one, or the given one. */
  readonly folder: string;
  /** The path below the given folder. */
  readonly name: string;
}

/** The HTML files below a folder, sorted by path. A file with several links to it is found once. */
export function findPages(root: string): readonly FoundPage[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && PAGE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length));
  const unique = new Map(
    names
      .sort()
      .toReversed()
      .map((name) => [realpathSync(join(root, name)), name]),
  );
  return [...unique.values()]
    .sort()
    .map((name) => ({ name, folder: name.includes('/') ? name.slice(0, name.indexOf('/')) : '.' }));
}

export function readPage(root: string, { name }: FoundPage): string {
  const bytes = readFileSync(join(root, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
