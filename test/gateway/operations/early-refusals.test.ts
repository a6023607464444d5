import test, { type ExecutionContext } from 'ava';
import { createEarlyRefusals } from '../../../gateway/operations/early-refusals.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openRaw, readAnswers } from '../http/raw-client.ts';
import { HOST, MIB, serve } from '../http/served-app.ts';

const FULL = { isFull: () => true, hasRoom: (client: string) => client === '192.0.2.1' };

async function serveFull(t: ExecutionContext, admission = FULL) {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const http = { isHttps: true, isTrustedProxy: (address: string) => address === '127.0.0.1', logger };
  const refusals = createEarlyRefusals({ ...http, operations: [{ path: '/held' }], admission });
  return { ...(await serve(t, { ...http, refuse: refusals.refuse })), refusals };
}

const post = (port: number, path: string, headers: Record<string, string>, body = '{}') =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

test('a call without room is refused in the envelope, with the headers of every answer', async (t) => {
  const { port, refusals } = await serveFull(t);
  const refused = await post(port, '/held', { 'sign-in-with-x': 'proof' });
  t.is(refused.status, 503);
  t.is(refused.headers.get('x-trial-status'), 'unavailable');
  t.is(refused.headers.get('retry-after'), '1');
  const requestId = refused.headers.get('x-request-id');
  t.deepEqual(await refused.json(), {
    error: { code: 'OVERLOADED', message: 'too many calls are in progress', requestId },
  });
  const routed = await post(port, '/', {});
  for (const [name] of routed.headers) t.true(refused.headers.has(name), name);
  const paying = await post(port, '/held', { 'payment-signature': 'payment' });
  t.deepEqual([paying.status, paying.headers.get('x-trial-status')], [503, null]);
  t.is(refusals.count(), 2);
});

test('other requests and clients with room are not refused', async (t) => {
  const { port, release, refusals } = await serveFull(t);
  release();
  t.is((await post(port, '/held', {})).status, 200, 'unsigned');
  t.is((await post(port, '/', { 'sign-in-with-x': 'proof' })).status, 200, 'no operation');
  t.is((await post(port, '/held', { 'x-payment': 'p', 'x-forwarded-for': '192.0.2.1' })).status, 200, 'with room');
  t.is((await post(port, '/held', { 'x-payment': 'p', 'x-forwarded-for': '192.0.2.2' })).status, 503);
  t.is(refusals.count(), 1);
  const idle = await serveFull(t, { ...FULL, isFull: () => false });
  idle.release();
  t.is((await post(idle.port, '/held', { 'x-payment': 'p' })).status, 200, 'not full');
});

test('refused calls leave the connection usable, also with large bodies and in a pipeline', async (t) => {
  const { port, release } = await serveFull(t);
  release();
  const call = (headers: string, body: string) =>
    `POST /held HTTP/1.1\r\n${HOST}${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const large = JSON.stringify('x'.repeat(2 * MIB));
  const signed = 'SIGN-IN-WITH-X: proof\r\n';
  const { closed } = openRaw(
    port,
    [call(signed, large), call('', '{}'), call(signed, large), call('Connection: close\r\n', '{}')].join(''),
  );
  const answers = readAnswers(await closed);
  t.deepEqual(
    answers.map(({ status }) => status),
    [503, 200, 503, 200],
  );
  for (const { requestId, idHeader, status } of answers) if (status === 503) t.is(requestId, idHeader);
});
