import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { findCurrentBundles } from '../../../../scripts/launch/bundles/current-bundles.ts';
import { readHealth } from '../../../../scripts/launch/health.ts';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { isAlive } from '../../../kit/alive.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { portOf } from '../../../kit/port-of.ts';
import { startTestAnvil } from '../../../kit/servers.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const UP = join(ROOT, 'scripts/launch/main.ts');
const LOOK_EVERY_MS = 5;
const KEY = Buffer.alloc(32, 1).toString('base64');

interface Up {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
}

/** Starts the product. It ends with the test, and everything that it started ends with it. */
function up(t: ExecutionContext, env: Readonly<Record<string, string>>, args: readonly string[] = []): Up {
  const child = spawn(process.execPath, [UP, ...args], {
    env: { ...INHERITED, HOME: process.env['HOME'], SOLVER_THREADS: '1', MAPS_THREADS: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  t.teardown(async () => {
    const below = [...descendants(defined(child.pid)).keys()];
    child.kill('SIGKILL');
    await exitCode;
    await until(() => !below.some(isAlive));
  });
  return { child, output: () => output, exitCode };
}

/** Command lines of all descendants of a process, by pid. */
function descendants(pid: number): Map<number, string> {
  const all = new Map<number, string>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = / [A-Z] (\d+) /.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1];
      if (Number(parent) !== pid) continue;
      all.set(Number(entry), readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' '));
      for (const [below, command] of descendants(Number(entry))) all.set(below, command);
    } catch {
      // The process has ended.
    }
  }
  return all;
}

/** The first descendant whose command line has the word; undefined if there is none. */
function pidOf(pid: number, word: string): number | undefined {
  const found = [...descendants(pid)].find(([, command]) => command.includes(word) && !command.startsWith('/bin/sh'));
  return found?.[0];
}

const runsBundles = (pid: number): boolean =>
  [...descendants(pid).values()].some((command) => /\.cache\/bundles\/.*\/services\/content\/main\.js/.test(command));

async function startUp(t: ExecutionContext, dataDir: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = up(t, { TOLLHOUSE_DATA: dataDir, PORT: String(port) });
  const announced = () => server.output().includes('Stop it:') || server.child.exitCode !== null;
  await until(announced);
  return { ...server, pid: defined(server.child.pid), port, origin };
}

/** Titles of the plans that wait for the approver whose key was announced. */
async function waitingPlans({ origin, output }: { readonly origin: string; readonly output: () => string }) {
  const [, key = ''] = /(\S+) {2}approver: /.exec(output()) ?? [];
  const answer = await fetch(`${origin}/api/v1/plans?state=draft`, { headers: { authorization: `Bearer ${key}` } });
  return [...(await answer.text()).matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title);
}

const isReady = (origin: string) => async (): Promise<boolean> => (await readHealth(origin)).isReady;

test.serial('npm start restarts what ends, leaves nothing running when it is killed, and starts again', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const server = await startUp(t, folder.path);
  t.regex(server.output(), /\/mcp for what is sold[\s\S]*PLAY MONEY[\s\S]*31337[\s\S]*npm run try/);
  t.true(await isReady(server.origin)());
  const [, key = ''] = /(\S+) {2}operator: opens \/operator/.exec(server.output()) ?? [];
  const headers = { authorization: `Bearer ${key}` };
  t.is((await fetch(`${server.origin}/operator/facts`, { headers })).status, 200);
  t.is(runsBundles(server.pid), findCurrentBundles(ROOT) !== undefined);
  t.deepEqual(await waitingPlans(server), ['Refund order A1 and tell its buyer']);

  const second = up(t, { TOLLHOUSE_DATA: folder.path, PORT: String(await freePort()) });
  t.is(await second.exitCode, 1);
  t.regex(
    second.output(),
    new RegExp(`already runs on ${folder.path} \\(process ${server.pid}\\)\\. .*TOLLHOUSE_DATA=other`),
  );

  for (const word of ['services/content', 'anvil', 'redis', 'gateway/main']) {
    const pid = defined(pidOf(server.pid, word));
    process.kill(pid, 'SIGKILL');
    await until(() => ![pid, undefined].includes(pidOf(server.pid, word)));
    await until(isReady(server.origin));
  }

  // Five quick crashes of one service do not affect the others.
  let crashed: number | undefined;
  for (let crash = 0; crash < 5; crash += 1) {
    const next = () => pidOf(server.pid, 'services/maps');
    await until(() => ![crashed, undefined].includes(next()));
    crashed = defined(next());
    process.kill(crashed, 'SIGKILL');
  }
  await until(async () => (await readHealth(server.origin)).unavailable.includes('maps'));
  t.true(await isReady(server.origin)());
  t.is(server.child.exitCode, null);
  await until(async () => (await readHealth(server.origin)).unavailable.length === 0);

  const children = descendants(server.pid);
  t.true(children.size >= 8);
  server.child.kill('SIGKILL');
  await until(() => ![...children.keys()].some(isAlive));
  await stopsInOrder(t, folder.path);
});

/** Starts on the data of a killed process, and stops with the signals that a terminal sends. */
async function stopsInOrder(t: ExecutionContext, dataDir: string): Promise<void> {
  const server = await startUp(t, dataDir);
  t.regex(server.output(), /Tollhouse is ready/);
  t.is((await waitingPlans(server)).length, 1);
  const children = descendants(server.pid);
  // Ctrl-C reaches the whole group, and npm sends the signal again.
  process.kill(-server.pid, 'SIGINT');
  server.child.kill('SIGINT');
  t.is(await server.exitCode, 0);
  t.false([...children.keys()].some(isAlive));
}

test.serial(
  'npm start -- --sources runs the sources, names what it waits for, and leaves nothing running when it is stopped then',
  async (t) => {
    const folder = createTestFolder();
    t.teardown(folder.remove);
    const server = up(t, { TOLLHOUSE_DATA: folder.path, PORT: String(await freePort()) }, ['--sources']);
    const pid = defined(server.child.pid);
    // The program that serves has flags, in contrast to the one that checks its settings.
    const payments = () => pidOf(pid, '--heap-growing-percent=50 services/payments');
    // It is stopped within milliseconds: a service that is ready is not waited for.
    let found = payments();
    for (; found === undefined && server.child.exitCode === null; found = payments()) await delay(LOOK_EVERY_MS);
    const hung = defined(found);
    process.kill(hung, 'SIGSTOP');
    t.false(runsBundles(pid));
    await until(() => /^ {2}waiting for .*payments.* \(\d+ s\)$/m.test(server.output()));
    process.kill(hung, 'SIGCONT');
    const children = descendants(pid);
    server.child.kill('SIGTERM');
    t.is(await server.exitCode, 0);
    await until(() => ![...children.keys()].some(isAlive));
  },
);

test('a port in use is reported before anything starts', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const port = portOf(other);
  const server = up(t, { TOLLHOUSE_DATA: folder.path, PORT: String(port) });
  t.is(await server.exitCode, 1);
  t.regex(server.output(), new RegExp(`Port ${port} is in use`));
  t.deepEqual(readdirSync(folder.path), []);
});

test('all that is wrong with the settings is one list, before anything starts', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const wrong = { PORT: '80.5', CONTENT_THREADS: 'many', RETENTION_DAYS: '0', X402_SIGNER_KEY: `0x${'4'.repeat(64)}` };
  const server = up(t, { TOLLHOUSE_DATA: folder.path, X402_RPC_URL_FILE: '/none', ...wrong });
  t.is(await server.exitCode, 78);
  const [, list = ''] = server.output().split('Configuration is not usable:\n');
  t.deepEqual(
    list
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .trim()
          .split(/: | \(/, 2)
          .join(': '),
      )
      .toSorted(),
    [
      'backoffice: RETENTION_KEYS',
      'content: CONTENT_THREADS',
      'gateway, backoffice: RETENTION_DAYS',
      'gateway: CHALLENGE_KEYS',
      'gateway: CONTACT',
      'gateway: FINGERPRINT_KEY',
      'gateway: PORT',
      'gateway: PUBLIC_URLS',
      'payments: AUTHORIZATION_KEYS',
      'payments: X402_PAY_TO',
      'payments: X402_RPC_URL_FILE',
      'verification: PROOF_ISSUER_KEY',
      'verification: PROOF_LOG_KEY',
    ],
  );
  t.deepEqual(readdirSync(folder.path), []);
});

test('with signer and database in files, no server starts, and a node of another chain stops the start', async (t) => {
  const [folder, files] = [createTestFolder(), createTestFolder()];
  for (const { remove } of [folder, files]) t.teardown(remove);
  const [anvil, database] = await Promise.all([startTestAnvil(), createTestDatabase()]);
  t.teardown(() => Promise.all([anvil.stop(), database.stop()]));
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(files.path, name), text, { mode: 0o600 });
    return join(files.path, name);
  };
  const server = up(t, {
    TOLLHOUSE_DATA: folder.path,
    PORT: String(await freePort()),
    X402_SIGNER_KEY_FILE: fileOf('signer', `0x${'4'.repeat(64)}`),
    DATABASE_URL_FILE: fileOf('database', database.url),
    X402_PAY_TO: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    X402_RPC_URL: anvil.url,
    PUBLIC_URLS: 'https://api.example.com',
    CONTACT: 'mailto:support@example.com',
    CHALLENGE_KEYS: KEY,
    FINGERPRINT_KEY: Buffer.alloc(32, 2).toString('base64'),
    AUTHORIZATION_KEYS: `k1:${KEY}`,
    RETENTION_KEYS: `k1:${KEY}`,
    PROOF_ISSUER_KEY: KEY,
    PROOF_LOG_KEY: Buffer.alloc(32, 2).toString('base64'),
  });
  t.is(await server.exitCode, 78);
  const last = server.output().trimEnd().split('\n').at(-1) ?? '';
  t.regex(last, /X402_RPC_URL: found a chain with id 31337; it must be 8453, that of X402_NETWORK$/);
  t.false(server.output().includes('restarting'), server.output());
  t.deepEqual(
    ['anvil', 'postgres'].filter((name) => existsSync(join(folder.path, name))),
    [],
  );
});
