import type { Server } from 'node:http';
import test from 'ava';
import { until } from '../../kit/until.ts';
import { openRaw, readAnswers } from './raw-client.ts';
import { countConnections, HOST, serve, unfinished } from './served-app.ts';

const GET = `GET / HTTP/1.1\r\n${HOST}\r\n`;
const GET_SLOW = `GET /slow HTTP/1.1\r\n${HOST}\r\n`;

/** Sends the text and ends this side of the connection. */
function sendAndEnd(port: number, text: string | Buffer) {
  const connection = openRaw(port, text);
  connection.socket.end();
  return connection;
}

/** Counts the connections whose client has ended its side. */
function countEnded(server: Server): () => number {
  let ended = 0;
  server.on('connection', (socket) => {
    socket.once('end', () => {
      ended += 1;
    });
  });
  return () => ended;
}

const statuses = (received: string) => readAnswers(received).map(({ status }) => status);

test('a client that ends its side after a request gets the answer, which ends the connection', async (t) => {
  const { app, port, release } = await serve(t);
  const ended = countEnded(app.server);
  const post = `POST /held HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const connections = [post, GET_SLOW].map((text) => sendAndEnd(port, text));
  await until(() => ended() === connections.length);
  release();
  for (const { closed } of connections) {
    const received = await closed;
    t.deepEqual(statuses(received), [200]);
    t.regex(received, /late$/);
    t.regex(received, /^connection: close\r$/im);
  }
  t.true(await until(async () => (await countConnections(app.server)) === 0));
});

test('all requests that were sent before the end are answered, in order', async (t) => {
  const { port, release } = await serve(t);
  const { closed } = sendAndEnd(port, `${GET_SLOW}${GET}${GET}`);
  release();
  t.deepEqual(statuses(await closed), [200, 200, 200]);
});

test('an idle connection is closed when the client ends its side', async (t) => {
  const { app, port } = await serve(t);
  const used = openRaw(port, GET);
  await until(() => used.received().endsWith('here'));
  used.socket.end();
  t.deepEqual(statuses(await used.closed), [200]);
  t.deepEqual(statuses(await sendAndEnd(port, '').closed), []);
  t.true(await until(async () => (await countConnections(app.server)) === 0));
});

test('a request that the end cuts off is refused, and nothing of it is left', async (t) => {
  const { app, port } = await serve(t, { maxBodyBytesInFlight: 64 * 1024 });
  const chunks = `POST / HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{`;
  for (const text of ['GET / HTT', unfinished(30_000), unfinished(30_000), unfinished(30_000), chunks]) {
    const [answer, ...others] = readAnswers(await sendAndEnd(port, text).closed);
    t.like(answer, { status: 400, code: 'INVALID_REQUEST' });
    t.deepEqual(others, []);
  }
  t.true(await until(async () => (await countConnections(app.server)) === 0));
});

test('a client that ends its side and does not read its answer is cut off', async (t) => {
  const { app, port } = await serve(t, { takeAnswerMs: 100 });
  const { socket } = sendAndEnd(port, `GET /big HTTP/1.1\r\n${HOST}\r\n`);
  socket.pause();
  await until(async () => (await countConnections(app.server)) === 1);
  t.true(await until(async () => (await countConnections(app.server)) === 0));
  socket.destroy();
});

test('a stop waits for the answer of a half-closed connection, and for nothing else of it', async (t) => {
  const { app, port, release } = await serve(t);
  const ended = countEnded(app.server);
  const due = sendAndEnd(port, GET_SLOW);
  await until(() => ended() === 1);
  const closed = app.close();
  release();
  t.deepEqual(statuses(await due.closed), [200]);
  await closed;
  t.is(await countConnections(app.server), 0);
});
