import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { withLinks } from '../../../../scripts/launch/servers/postgres-binaries.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

/** A user without rights of root. */
const isOrdinary = process.getuid?.() !== 0;

for (const { name, mode, isCopied } of [
  { name: 'one that may be written', mode: 0o755, isCopied: false },
  { name: 'one that nobody may write', mode: 0o555, isCopied: isOrdinary },
]) {
  test(`the links of the libraries are made beside them, or in a copy: ${name}`, (t) => {
    const folder = createTestFolder();
    t.teardown(folder.remove);
    const root = join(folder.path, 'package');
    const lib = join(root, 'native/lib');
    mkdirSync(lib, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "version": "18.4.0" }');
    writeFileSync(join(lib, 'libpq.so.5.18'), 'a library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    writeFileSync(join(root, 'native/pg-symlinks.json'), JSON.stringify(links));
    chmodSync(lib, mode);
    t.teardown(() => chmodSync(lib, 0o755));
    const cache = join(folder.path, 'cache');
    const linked = withLinks(root, cache);
    t.is(linked, isCopied ? join(cache, 'postgres-18.4.0') : root);
    t.is(readFileSync(join(linked, 'native/lib/libpq.so.5'), 'utf8'), 'a library');
    t.is(withLinks(root, cache), linked);
  });
}
