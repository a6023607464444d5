import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/pages/', import.meta.url));

/**
 * Names of all `.html` and `.html.gz` files below a folder, sorted.
 * @param folder the project's own fixtures by default
 * @throws {Error} if there are none
 */
export function listPages(folder = FIXTURES): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html(\.gz)?$/.test(name) && statSync(join(folder, name)).isFile())
    .sort();
  if (names.length === 0) throw new Error(`no .html or .html.gz in ${folder}`);
  return names;
}

/** Loads these files, in the same order. @throws {Error} if there are none */
export function loadPages(folder = FIXTURES): readonly string[] {
  return listPages(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  });
}
