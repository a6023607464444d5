import { createServer } from 'node:net';
import test from 'ava';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';

test('a port is given once, and not while a server listens on it', async (t) => {
  const first = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(first, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const others: number[] = [];
  for (let n = 0; n < 150; n += 1) others.push(await freePort());
  t.false(others.includes(first));
  t.is(new Set(others).size, 99);
});

test('the ports are below those that the system chooses', async (t) => {
  const port = await freePort();
  t.true(port >= 10_000 && port < 32_768);
});
