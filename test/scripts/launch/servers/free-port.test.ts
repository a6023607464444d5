import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import test from 'ava';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { portOf } from '../../../kit/port-of.ts';

const MODULE = new URL('../../../../scripts/launch/servers/free-port.ts', import.meta.url).href;

/** Makes every number of a program the same, so that it wants one port only. */
const programWanting = (port: number): string => `
  import crypto from 'node:crypto';
  import { syncBuiltinESMExports } from 'node:module';
  crypto.randomInt = () => ${port};
  syncBuiltinESMExports();
  const { freePort } = await import(${JSON.stringify(MODULE)});
  console.log(await freePort().catch(({ message }) => message));
`;
const wantPort = (port: number): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', programWanting(port)], { encoding: 'utf8' }).trim();

test('another process does not get a port that this process was given, though no server listens on it', async (t) => {
  t.is(wantPort(await freePort()), 'found no free port in 100 tries');
});

test('a port on which a server listens is not given', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  t.is(wantPort(portOf(server)), 'found no free port in 100 tries');
});

test('the port that fetch refuses is not given', async (t) => {
  await t.throwsAsync(fetch('http://127.0.0.1:10080'), { message: /fetch failed/ });
  t.is(wantPort(10_080), 'found no free port in 100 tries');
});

test('a port is given once, below those that the system chooses', async (t) => {
  const ports = await Promise.all(Array.from({ length: 150 }, freePort));
  t.is(new Set(ports).size, 150);
  t.true(ports.every((port) => port >= 10_000 && port < 32_768));
});
