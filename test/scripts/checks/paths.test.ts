import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['gateway', 'scripts', 'services', 'test', 'workers'];

/** Matches code that uses the path of a URL as a file path. A URL has escapes such as `%20` for a space. */
const URL_AS_PATH =
  /(?:import\.meta\.url|[A-Z_]{3,})\s*,?\s*\)\s*\.pathname|\{\s*pathname\b[^}]*\}\s*=\s*new URL\([^;]*import\.meta\.url/;

test('no module uses the path of a URL as a file path, which fails in a folder with a space', (t) => {
  const faults = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js|mjs)$/.test(name))
      .map((name) => join(folder, name))
      .filter((name) => URL_AS_PATH.test(readFileSync(join(ROOT, name), 'utf8'))),
  );
  t.deepEqual(faults, [], 'use fileURLToPath');
});
