import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { ensureBundles } from '../../../scripts/bundles/build-bundles.ts';
import { bundleOf, findCurrentBundles } from '../../../scripts/launch/bundles/current-bundles.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const run = promisify(execFile);
const EARLIER = new Date('2026-01-01');
const MAIN = 'services/greeter/main.ts';
const GREETING = 'services/greeter/greeting.ts';
const SOURCES = {
  [MAIN]: "import { greeting } from './greeting.ts';\nconsole.log(greeting, import.meta.url, import.meta.dirname);\n",
  [GREETING]: "export const greeting: string = 'one';\n",
  'package.json': '{ "type": "module" }\n',
  'package-lock.json': '{}\n',
  'tsconfig.json': '{}\n',
  'scripts/bundles/bundle.ts': '\n',
};

/** Writes a file as of long ago, because bundles do not count if a file has changed while they were built. */
function write(root: string, path: string, text: string, at = EARLIER): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  utimesSync(join(root, path), at, at);
}

function createCheckout(t: ExecutionContext): string {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  for (const [path, text] of Object.entries(SOURCES)) write(folder.path, path, text);
  return folder.path;
}

async function greet(bundles: string): Promise<string> {
  return (await run(process.execPath, [bundleOf(MAIN, bundles)])).stdout.trim();
}

test('bundles are built once, and find the files beside their sources', async (t) => {
  const root = createCheckout(t);
  t.is(findCurrentBundles(root), undefined);
  const bundles = await ensureBundles(root);
  t.is(findCurrentBundles(root), bundles);
  t.is(await ensureBundles(root), bundles);
  t.is(await greet(bundles), `one file://${join(root, MAIN)} ${join(root, 'services/greeter')}`);
});

test('bundles are not used after a source was changed or removed, or the dependencies were changed', async (t) => {
  const root = createCheckout(t);
  const first = await ensureBundles(root);

  write(root, GREETING, "export const greeting: string = 'two';\n", new Date('2026-01-02'));
  t.is(findCurrentBundles(root), undefined);
  const second = await ensureBundles(root);
  t.not(second, first);
  t.regex(await greet(second), /^two /);

  write(root, 'package-lock.json', '{ }\n');
  t.is(findCurrentBundles(root), undefined);
  const third = await ensureBundles(root);
  t.is(findCurrentBundles(root), third);

  rmSync(join(root, GREETING));
  t.is(findCurrentBundles(root), undefined);
});

test('bundles of a checkout that was moved find the files beside their sources', async (t) => {
  const root = createCheckout(t);
  await ensureBundles(root);
  const moved = createTestFolder();
  t.teardown(moved.remove);
  const path = join(moved.path, 'my # code');
  await run('cp', ['-a', root, path]);
  const bundles = defined(findCurrentBundles(path));
  t.is(await greet(bundles), `one ${pathToFileURL(join(path, MAIN))} ${join(path, 'services/greeter')}`);
});

test('a file that changes while it is bundled makes the bundles count as old', async (t) => {
  const root = createCheckout(t);
  write(root, GREETING, "export const greeting: string = 'later';\n", new Date(Date.now() + 60_000));
  await ensureBundles(root);
  t.is(findCurrentBundles(root), undefined);
});

test('bundles of running processes are kept, and other folders are used again', async (t) => {
  const root = createCheckout(t);
  const built = [];
  for (const text of ['1', '12', '123', '1234', '12345']) {
    write(root, GREETING, `export const greeting: string = '${text}';\n`);
    // The parent of this process uses the second bundles, and a process that has ended used the first ones.
    if (text === '123') write(root, `.cache/running/${process.ppid}`, '2');
    write(root, '.cache/running/999999999', '1');
    const bundles = await ensureBundles(root);
    t.regex(await greet(bundles), new RegExp(`^${text} `));
    built.push(basename(bundles));
  }
  t.deepEqual(built, ['1', '2', '1', '3', '1']);
});

test('simultaneous builders build once', async (t) => {
  const root = createCheckout(t);
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => ensureBundles(root)));
  t.deepEqual(others, [first, first]);
});
