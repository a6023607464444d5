import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { buildPackage } from '../../../../scripts/release/package.ts';
import { walk } from '../../../e2e/rehearsal/walk.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const MIB = 2 ** 20;
const run = promisify(execFile);

const folder = createTestFolder();
test.after.always(folder.remove);
let tarball = '';
test.before(async () => {
  tarball = await buildPackage(ROOT, join(folder.path, 'release'));
});

/** Unpacks the package into a folder, with the packages of the checkout. */
function install(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  execFileSync('tar', ['-xzf', tarball, '-C', path, '--strip-components=1']);
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return path;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const Lock = Type.Object({ packages: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())) });
const readLock = createJsonReader(Lock, 'a lock file');

test('the package has at most 25 MB, no sources, no path of the checkout, and what runs of its lock file', (t) => {
  t.true(statSync(tarball).size <= 25 * MIB);
  const path = join(folder.path, 'release/package');
  const files = globSync('**/*', { cwd: path, withFileTypes: true }).filter((each) => each.isFile());
  t.deepEqual(
    files.filter(({ name }) => /(?<!\.d)\.ts$/.test(name)),
    [],
  );
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  t.true(scripts.length > 50);
  for (const { parentPath, name } of scripts)
    t.false(readFileSync(join(parentPath, name), 'utf8').includes(ROOT), name);
  const { '': own, ...packages } = readLock(read(join(ROOT, 'package-lock.json'))).packages;
  const { '': packed, ...others } = readLock(read(join(path, 'npm-shrinkwrap.json'))).packages;
  const running = Object.entries(packages).filter(([, { dev, devOptional }]) => !(dev ?? devOptional));
  t.deepEqual(Object.entries(others), running);
  t.deepEqual(packed?.['dependencies'], own?.['dependencies']);
});

test('another program imports what the package exports, with its types', async (t) => {
  const program = join(folder.path, 'program');
  mkdirSync(join(program, 'node_modules'), { recursive: true });
  symlinkSync(install('imported'), join(program, 'node_modules/tollhouse'));
  const text = `import { createTrialClient, type TrialClient } from 'tollhouse/client/trial';
import { verifyProof } from 'tollhouse/verify-proof';
const create: (options: Parameters<typeof createTrialClient>[0]) => TrialClient = createTrialClient;
const none = new Uint8Array();
const result: { readonly outcome: string } = await verifyProof({ proof: none, keys: none });
console.log(result.outcome, typeof create);\n`;
  writeFileSync(join(program, 'main.mts'), text);
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', 'main.mts'];
  const { stdout } = await run(process.execPath, [compiler, ...options], { cwd: program }).catch((error) => error);
  t.is(stdout, '');
  t.is((await run(process.execPath, ['main.mts'], { cwd: program })).stdout, 'unusable_input function\n');
});

/** Starts the command as another user's shell would, until the test stops it. */
async function start(t: ExecutionContext, path: string, home: string) {
  const env = { PATH: INHERITED['PATH'], HOME: home, PORT: String(await freePort()) };
  const command = join(path, 'bin/tollhouse');
  const server = spawn(command, ['start'], { env, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => server.kill('SIGKILL'));
  let output = '';
  server.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await until(() => output.includes('Stop it:') || server.exitCode !== null);
  return {
    output,
    tollhouse: async (...args: readonly string[]) => (await run(command, args, { env, cwd: home })).stdout,
    async stop(): Promise<unknown> {
      server.kill('SIGTERM');
      return (await once(server, 'exit'))[0];
    },
  };
}

test.serial('it takes real payments, which an own signer settles and claims', (t) => {
  const command = join(install('in production'), 'bin/tollhouse');
  return walk(t, 'eip155:8453', 'signer', { start: [command, 'start'], try: [command, 'try'] });
});

/** The files and folders of an installed package, with their times. */
const contentOf = (path: string) =>
  globSync('**/*', { cwd: path, exclude: ['node_modules'] }).map((name) => [name, statSync(join(path, name)).mtimeMs]);

test.serial('it writes nothing beside itself, and another version goes on with its data', async (t) => {
  const home = join(folder.path, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'page.html'), '<h1>Hello</h1>');
  const installed = install('one version');
  const before = contentOf(installed);
  const first = await start(t, installed, home);
  t.regex(first.output, /\.local\/share\/tollhouse[\s\S]*tollhouse try geocode/);
  t.regex(await first.tollhouse('try', 'html-to-markdown', 'page.html', '--pay'), /# Hello/);
  await t.notThrowsAsync(first.tollhouse('doctor'));
  t.is((await first.tollhouse('serve', 'maps', '--check')).trim(), '[]');
  t.notRegex(await first.tollhouse('completion', 'bash'), /npm/);
  t.is(await first.stop(), 0);
  t.true(before.length > 100);
  t.deepEqual(contentOf(installed), before);
  const second = await start(t, install('another'), home);
  t.regex(await second.tollhouse('payments', 'list'), /0\.003000 USDC/);
  t.is(await second.stop(), 0);
});
