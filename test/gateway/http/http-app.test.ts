import { once } from 'node:events';
import test from 'ava';
import { trustProxies } from '../../../gateway/http/trusted-proxies.ts';
import { until } from '../../kit/until.ts';
import { openRaw, readAnswers } from './raw-client.ts';
import { countConnections, HOST, serve, unfinished } from './served-app.ts';

// Refused requests

const headers = (count: number) => Array.from({ length: count }, (_, n) => `a${n}: b\r\n`).join('');

const REFUSED: readonly (readonly [string, string, number, string])[] = [
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['two Hosts', `GET / HTTP/1.1\r\n${HOST}Host: localhost\r\n\r\n`, 400, 'INVALID_REQUEST'],
  [
    'two Hosts with 1,500 headers between',
    `GET / HTTP/1.1\r\n${HOST}${headers(1500)}Host: b\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  ['another host in the URL', `GET http://other/ HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  ['an expectation that cannot be met', `GET / HTTP/1.1\r\n${HOST}Expect: tea\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
  ['HTTP/2 without the preface', `GET / HTTP/2.0\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['a version that does not exist', `GET / HTTP/3.7\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'INVALID_REQUEST'],
  ['a method that does not exist', `FOO / HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  ['a method that is not served', `PROPFIND / HTTP/1.1\r\n${HOST}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['QUERY without a body', `QUERY / HTTP/1.1\r\n${HOST}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['QUERY on an unknown path', `QUERY /nothing HTTP/1.1\r\n${HOST}\r\n`, 404, 'NOT_FOUND'],
  [
    'a method that is not served, with a body that is not JSON',
    `PUT / HTTP/1.1\r\n${HOST}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\na`,
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'a method that a path with a parameter does not have',
    `QUERY /items/1?a HTTP/1.1\r\n${HOST}\r\n`,
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['a parameter that is too long', `GET /items/${'a'.repeat(200)} HTTP/1.1\r\n${HOST}\r\n`, 404, 'NOT_FOUND'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ['a URL that cannot be decoded', `GET /%zz HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  [
    'a chunk without a size',
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'INVALID_REQUEST'],
  [
    'a length and chunks',
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  ['an unknown transfer coding', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`, 400, 'INVALID_REQUEST'],
  ['headers over 32 KB', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
];

/** Headers of every answer. Without the CORS headers, a page cannot read the answer. */
const COMMON_LINES = [
  /^cache-control: no-store\r$/im,
  /^x-content-type-options: nosniff\r$/im,
  /^access-control-allow-origin: \*\r$/im,
  /^access-control-expose-headers: .*X-Request-Id/im,
];

test('every refusal has the error envelope, the request id and the common headers', async (t) => {
  const { port } = await serve(t);
  for (const [title, text, status, code] of REFUSED) {
    const connection = openRaw(port, Buffer.from(text, 'latin1'));
    await until(() => connection.received().endsWith('}'));
    const [answer, ...others] = readAnswers(connection.received());
    t.like(answer, { status, code }, title);
    t.is(answer?.idHeader, answer?.requestId, title);
    for (const line of COMMON_LINES) t.regex(connection.received(), line, title);
    t.is(connection.received().includes('/openapi.json lists'), title === 'QUERY on an unknown path', title);
    t.is(/^allow: .*$/im.test(connection.received()), status === 405, title);
    t.deepEqual(others, [], title);
    connection.socket.destroy();
  }
});

test('serves unusual but valid requests', async (t) => {
  const { port } = await serve(t);
  const allowed = [
    'GET / HTTP/1.0\r\n\r\n',
    `GET http://localhost/ HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}${headers(1500)}Connection: close\r\n\r\n`,
  ];
  for (const text of allowed) t.is(readAnswers(await openRaw(port, text).closed)[0]?.status, 200, text.slice(0, 80));
});

// Faults on connections with valid requests

test('refuses invalid bytes after a request when that request is answered', async (t) => {
  const { port, release } = await serve(t);
  const connection = openRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\nGARBAGE\r\n\r\n`);
  const other = openRaw(port, `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  await other.closed;
  t.is(connection.received(), '');
  release();
  const answers = readAnswers(await connection.closed);
  t.deepEqual(
    answers.map(({ status, code }) => [status, code]),
    [
      [200, undefined],
      [400, 'INVALID_REQUEST'],
    ],
  );
});

test('a fault in a body replaces the answer to its request, after the earlier answers', async (t) => {
  const { port, release } = await serve(t);
  const faulty = `POST / HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
  const connection = openRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\n${faulty}`);
  release();
  t.deepEqual(
    readAnswers(await connection.closed).map(({ status }) => status),
    [200, 400],
  );
});

test('refuses CONNECT after it has answered the request before', async (t) => {
  const { port, release } = await serve(t);
  const connection = openRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
  release();
  t.deepEqual(
    readAnswers(await connection.closed).map(({ status }) => status),
    [200, 405],
  );
});

test('a client that resets its connection after CONNECT does not affect other clients', async (t) => {
  const { app, port, ask, release } = await serve(t);
  const { socket } = openRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
  await until(async () => (await countConnections(app.server)) === 1);
  socket.resetAndDestroy();
  await until(async () => (await countConnections(app.server)) === 0);
  release();
  t.is(await ask(), 200);
});

test('a stop does not wait for idle connections or incomplete requests', async (t) => {
  const { app, port } = await serve(t);
  const left = [openRaw(port), openRaw(port, 'GET / HTT'), openRaw(port, unfinished(1000))];
  await until(async () => (await countConnections(app.server)) === left.length);
  await app.close();
  for (const { closed } of left) await closed;
  t.pass();
});

test('a stop first serves as before, then accepts no connections, and still answers on those that are open', async (t) => {
  const { app, port, ask } = await serve(t, { stopGraceMs: 2000 });
  const get = `GET / HTTP/1.1\r\n${HOST}\r\n`;
  const used = openRaw(port, get);
  const kept = openRaw(port, get);
  const isAnswered = (count: number) => () => kept.received().split('here').length === count + 1;
  await until(isAnswered(1));
  const closed = app.stop();
  t.is(await ask(), 200);
  kept.socket.write(get);
  await until(isAnswered(2));
  await until(() => !app.server.listening);
  await t.throwsAsync(ask());
  kept.socket.write(get);
  const answers = (await kept.closed).split(/(?=HTTP\/1\.1 )/);
  t.deepEqual(
    answers.map((text) => /^connection: (\S+)\r$/im.exec(text)?.[1]),
    ['keep-alive', 'keep-alive', 'close'],
  );
  // The last one to be closed, because nothing was sent on it again.
  t.is(readAnswers(await used.closed).length, 1);
  await closed;
});

test('a stop answers a connection that was opened before it and has sent nothing yet', async (t) => {
  const { app, port } = await serve(t);
  const opened = openRaw(port);
  await until(async () => (await countConnections(app.server)) === 1);
  const closed = app.close();
  opened.socket.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`);
  t.is(readAnswers(await opened.closed)[0]?.status, 200);
  await closed;
});

test('closes a connection that sends many requests without reading the answers', async (t) => {
  const { port, ask } = await serve(t);
  const { closed } = openRaw(port, `GET /slow HTTP/1.1\r\n${HOST}\r\n`.repeat(200));
  t.deepEqual(readAnswers(await closed), []);
  t.is(await ask(), 200);
});

// Connections that the client does not close

test('cuts off a client that stays connected after a 408', async (t) => {
  const { app, port } = await serve(t, { requestTimeoutMs: 100 });
  const connections = [
    openRaw(port),
    openRaw(port, 'GET / HTT'),
    openRaw(port, `POST / HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n`),
  ];
  for (const { closed } of connections) t.like(readAnswers(await closed)[0], { status: 408, code: 'REQUEST_TIMEOUT' });
  t.true(await until(async () => (await countConnections(app.server)) === 0));
});

test('cuts off a client that does not read its answer', async (t) => {
  const { app, port } = await serve(t, { takeAnswerMs: 100 });
  const { socket } = openRaw(port, `GET /big HTTP/1.1\r\n${HOST}\r\n`);
  socket.pause();
  await once(app.server, 'request');
  t.true(await until(async () => (await countConnections(app.server)) === 0));
  socket.destroy();
});

test('answers a request only once if its body never arrives', async (t) => {
  const { port } = await serve(t, { requestTimeoutMs: 1000 });
  const connection = openRaw(port, `GET / HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n`);
  t.deepEqual(
    readAnswers(await connection.closed).map(({ status }) => status),
    [200],
  );
});

// Connection limits

test('refuses connections over the limit of their client until others close', async (t) => {
  const { port, ask } = await serve(t, { maxConnectionsPerClient: 3 });
  const open = [openRaw(port), openRaw(port), openRaw(port)];
  await Promise.all(open.map(({ socket }) => once(socket, 'connect')));
  const [answer] = readAnswers(await openRaw(port).closed);
  t.like(answer, { status: 503, code: 'OVERLOADED' });
  t.is(answer?.idHeader, answer?.requestId);
  t.is(await ask(), 503);
  open[0]?.socket.destroy();
  await until(async () => (await ask()) === 200);
  for (const { socket } of open) socket.destroy();
});

test('connections of a trusted proxy count only toward the total', async (t) => {
  const isTrustedProxy = trustProxies(['127.0.0.0/8']);
  const { port, ask } = await serve(t, { maxConnections: 5, maxConnectionsPerClient: 1, isTrustedProxy });
  const open = [openRaw(port), openRaw(port), openRaw(port), openRaw(port)];
  await Promise.all(open.map(({ socket }) => once(socket, 'connect')));
  t.is(await ask(), 200);
  open.push(openRaw(port));
  await until(async () => (await ask()) === 503);
  for (const { socket } of open) socket.destroy();
  await until(async () => (await ask()) === 200);
});

test('cuts off refused connections that stay open, and closes further ones at once', async (t) => {
  const { app, port, ask } = await serve(t, { maxConnections: 1 });
  const first = openRaw(port);
  await once(first.socket, 'connect');
  const refused = Array.from({ length: 80 }, () => openRaw(port));
  const answers = await Promise.all(refused.map(({ closed }) => closed));
  const polite = answers.filter((text) => readAnswers(text)[0]?.status === 503).length;
  t.true(polite >= 1);
  await until(async () => (await countConnections(app.server)) === 1);
  first.socket.destroy();
  await until(async () => (await ask()) === 200);
});

test('405 names only the methods that the path serves', async (t) => {
  const { port } = await serve(t);
  const ask = async (method: string, path: string) => {
    const answer = readAnswers(
      await openRaw(port, `${method} ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`).closed,
    );
    return answer.map(({ status, allow }) => [status, allow]);
  };
  t.deepEqual(await ask('QUERY', '/'), [[405, 'GET, HEAD, POST, OPTIONS']]);
  t.deepEqual(await ask('PROPFIND', '/items/7'), [[405, 'GET, HEAD, OPTIONS']]);
  t.deepEqual(await ask('QUERY', '/plans/7/checks'), [[405, 'POST, OPTIONS']]);
  t.deepEqual(await ask('DELETE', '/plans/7/checks'), [[405, 'POST, OPTIONS']]);
});
