import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { createAdminServer, listenAt } from '../../../gateway/http/admin-server.ts';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const create = () =>
  createAdminServer({
    readMetrics: async () => ({ type: 'text/plain; version=0.0.4', text: 'figure 1\n' }),
    readReadiness: async () => ({ status: 503, body: { status: 'stopping' } }),
  });

async function ask(to: { readonly socketPath: string } | { readonly port: number }, path: string) {
  const [answer] = await once(get({ ...to, host: '127.0.0.1', path }), 'response');
  return [answer.statusCode, answer.headers['content-type'], await text(answer)];
}

test('the admin address says whether the process lives and is ready, and has its metrics', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const path = join(folder.runDir, 'admin.sock');
  const port = await freePort();
  for (const [listen, to] of [
    [`unix:${path}`, { socketPath: path }],
    [`127.0.0.1:${port}`, { port }],
  ] as const) {
    const app = create();
    await listenAt(app, listen);
    const json = 'application/json; charset=utf-8';
    t.deepEqual(await ask(to, '/live'), [200, json, '{"status":"ok"}']);
    t.deepEqual(await ask(to, '/ready'), [503, json, '{"status":"stopping"}']);
    t.deepEqual(await ask(to, '/metrics'), [200, 'text/plain; version=0.0.4', 'figure 1\n']);
    t.is((await ask(to, '/api/v1/maps/geocode'))[0], 404);
    await app.close();
  }
});

test('a socket that a killed process left is replaced, and one that is served is not', async (t) => {
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const path = join(folder.runDir, 'admin.sock');
  writeFileSync(path, '');
  const app = create();
  t.teardown(() => app.close());
  await listenAt(app, `unix:${path}`);
  const second = create();
  t.teardown(() => second.close());
  await t.throwsAsync(listenAt(second, `unix:${path}`), { code: 'EADDRINUSE' });
  t.is((await ask({ socketPath: path }, '/live'))[0], 200);
  const third = create();
  t.teardown(() => third.close());
  await t.notThrowsAsync(listenAt(third, `unix://${path}2`));
});
