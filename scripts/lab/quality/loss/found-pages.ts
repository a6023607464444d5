import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** HTML Standard, prescan of a byte stream: the encoding is in the first 1,024 bytes. */
const HEAD_BYTES = 1024;
const ENCODING = /charset\s*=\s*["']?([\w-]{1,40})/i;
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

/** Decodes a page with the encoding that it names, or as UTF-8. */
export function readPageFile(path: string): string {
  const file = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(file) : file;
  const [, encoding = 'utf-8'] = ENCODING.exec(bytes.toString('latin1', 0, HEAD_BYTES)) ?? [];
  return new TextDecoder(encoding).decode(bytes);
}
