import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/pages/', import.meta.url));

/**
 * Loads all `.html` and `.html.gz` files below a folder, sorted by name.
 * @param folder the project's own fixtures by default
 * @throws {Error} if there are none
 */
export function loadPages(folder = FIXTURES): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html(\.gz)?$/.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    });
  if (pages.length === 0) throw new Error(`no .html or .html.gz in ${folder}`);
  return pages;
}
