import { execFile } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { buildPackage } from '../../../scripts/release/package.ts';
import { openBuyers } from '../../kit/buyers.ts';
import { CONVERT, GEOCODE, REVERSE_GEOCODE } from '../../kit/client.ts';
import { startStack } from '../../kit/stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { DEPLOY, NAMES, ROOT } from '../check-program.ts';

const run = promisify(execFile);
/** Of the files under /usr/local, with Node. */
const MAX_IMAGE_MB = 330;

const { path: folder, remove } = createTestFolder();
test.after.always(remove);

const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);

test('the files of the image are small, and are the whole product', async (t) => {
  const image = join(folder, 'image');
  const tarball = await buildPackage(ROOT, join(folder, 'release'));
  await run('sh', [join(DEPLOY, 'image/install.sh'), tarball, image]);
  const sizeMb = sizeOf(image) / 2 ** 20;
  t.true(sizeMb < MAX_IMAGE_MB, `${sizeMb} MB`);

  // The command finds its own Node, and needs no home.
  const env = { PATH: `${join(image, 'usr/local/bin')}:/usr/bin:/bin`, HOME: '/none' };
  for (const name of NAMES) {
    const { stdout } = await run('tollhouse', ['serve', name, '--check'], { env, cwd: '/' }).catch((error) => error);
    t.regex(stdout, /^\[.*\]\n$/, name);
  }

  const bundles = join(image, 'usr/local/lib/node_modules/tollhouse/dist');
  const entry = (source: string) => join(bundles, source.replace(/\.ts$/, '.js'));
  const stack = await startStack({ maps: true, verified: true, entry });
  t.teardown(() => stack.stop());
  const [url] = stack.urls;
  const buyers = openBuyers(url);
  const trial = buyers.trial();
  t.is((await trial.call(CONVERT, { html: '<h1>Hello</h1>' })).status, 200);
  t.is((await trial.call(GEOCODE, { query: 'Kathmandu', limit: 1 })).status, 200);
  const paid = await (await buyers.exact()).call(REVERSE_GEOCODE, { latitude: 51.5, longitude: 0 });
  t.is(paid.status, 200);
  for (const path of ['/', '/openapi.json', '/docs', '/agent.json', '/api/v1/status', '/api/v1/log/keys']) {
    t.is((await fetch(new URL(path, url))).status, 200, path);
  }
});
