import { once } from 'node:events';
import { request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import fastify from 'fastify';
import { boundLargeBodies } from '../../../gateway/http/large-bodies.ts';
import { waitFor } from '../../../scripts/processes/wait-for.ts';

const MIB = 1024 * 1024;
const TEXT = { 'content-type': 'text/plain' };

/** An application whose handler takes as long as it is told. */
async function startApp(t: ExecutionContext) {
  const app = fastify({ bodyLimit: 8 * MIB, forceCloseConnections: true });
  const answers: PromiseWithResolvers<string>[] = [];
  boundLargeBodies(app);
  app.post('/held', () => {
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  });
  app.post('/', async () => 'read');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  t.teardown(async () => {
    for (const answer of answers) answer.resolve('late');
    await app.close();
  });
  const post = async (path: string, sizeBytes: number, signal?: AbortSignal) => {
    const body = 'a'.repeat(sizeBytes);
    const response = await fetch(url + path, { method: 'POST', headers: TEXT, body, signal: signal ?? null });
    await response.text();
    return response;
  };
  const isHandled = (count: number) => waitFor(async () => answers.length === count, { timeoutMs: 10_000 });
  return { url, answers, post, isHandled };
}

test('large requests over the bound are refused while others are handled, and small ones are not', async (t) => {
  const { answers, post, isHandled } = await startApp(t);
  const caller = new AbortController();
  const leaving = post('/held', 8 * MIB, caller.signal);
  const held = Array.from({ length: 7 }, () => post('/held', 8 * MIB));
  t.true(await isHandled(8));
  const refused = await post('/', MIB);
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  t.is((await post('/', 1000)).status, 200);
  // A client that goes away makes room, and so does an answer.
  caller.abort();
  await t.throwsAsync(leaving);
  t.true(await waitFor(async () => (await post('/', 8 * MIB)).status === 200, { timeoutMs: 10_000 }));
  for (const answer of answers) answer.resolve('read');
  for (const response of await Promise.all(held)) t.is(response.status, 200);
  t.is((await post('/', 8 * MIB)).status, 200);
});

test('bodies in chunks count by what has arrived, and those that do not arrive do not count', async (t) => {
  const { url, post, isHandled } = await startApp(t);
  const begin = (path: string) => {
    const sent = request(url + path, { method: 'POST', agent: false, headers: TEXT });
    sent.on('error', () => {});
    t.teardown(() => {
      sent.destroy();
    });
    return sent;
  };
  // Nothing ends these: the server has seen all but the last byte of each.
  const slow = Array.from({ length: 10 }, () => begin('/'));
  await Promise.all(
    slow.map((sent) => new Promise((resolve) => sent.write('a'.repeat(8 * MIB - 1), () => resolve(undefined)))),
  );
  t.is((await post('/', 8 * MIB)).status, 200);
  const small = Array.from({ length: 20 }, () => begin('/held'));
  for (const sent of small) sent.end('small');
  t.true(await isHandled(20));
  t.is((await post('/', 8 * MIB)).status, 200);
  for (let n = 0; n < 8; n += 1) begin('/held').end('a'.repeat(7.9 * MIB));
  t.true(await isHandled(28));
  const late = begin('/');
  late.end('a'.repeat(MIB));
  const [response] = await once(late, 'response');
  t.is((response as { statusCode: number }).statusCode, 503);
});
