import test from 'ava';
import { waitFor } from '../../../scripts/launch/processes/wait-for.ts';
import { until } from '../../kit/until.ts';
import { openRaw, readAnswers } from './raw-client.ts';
import { HOST, MIB, serve, unfinished } from './served-app.ts';

async function postSpaces(port: number, bytes: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: ' '.repeat(bytes) });
  await response.text();
  return response.status;
}

test('refuses bodies over the total limit with Retry-After, serves small ones, and recovers the limit', async (t) => {
  const { port } = await serve(t, { maxBodyBytesInFlight: 4 * MIB, isTrustedProxy: () => true });
  const post = async (client: string, bytes: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify('a'.repeat(bytes)),
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  };
  const [one, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
  const hold = (client: string, bytes: number) => openRaw(port, unfinished(bytes, `X-Forwarded-For: ${client}\r\n`));
  const isRefused = (client: string, bytes: number) => until(async () => (await post(client, bytes)).status === 503);
  const held = hold(one, 1.5 * MIB);
  t.true(await isRefused(one, MIB), 'one client may use half of the limit');
  t.is((await post(other, 1.5 * MIB)).status, 200, 'other clients may use the rest');
  // The earlier request returns its bytes shortly after its answer. Until then, this request may be refused.
  let more = hold(other, 1.5 * MIB);
  let refusal: Awaited<ReturnType<typeof post>> | undefined;
  const isFull = async () => {
    refusal = await post(third, 1.5 * MIB);
    if (refusal.status === 503) return true;
    more.socket.destroy();
    more = hold(other, 1.5 * MIB);
    return false;
  };
  await until(isFull);
  t.is(refusal?.retryAfter, '1');
  t.is((await post(one, 1000)).status, 200);
  held.socket.destroy();
  await until(async () => (await post(third, 1.5 * MIB)).status === 200);
  more.socket.destroy();
  await until(async () => (await post(other, 1.9 * MIB)).status === 200);
});

test('aborted uploads, and refused and aborted uploads, return exactly the bytes that they used', async (t) => {
  const { port } = await serve(t, { maxBodyBytesInFlight: 4 * MIB });
  const post = async (bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify('a'.repeat(bytes));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };
  for (let round = 0; round < 8; round += 1) {
    let held = openRaw(port, unfinished(1.5 * MIB));
    const refused = openRaw(port, unfinished(1.9 * MIB));
    const isFull = async () => {
      if ((await post(MIB)) === 503) return true;
      // The held upload may have been refused because the limit was used up.
      if (held.received() !== '') held = openRaw(port, unfinished(1.5 * MIB));
      return false;
    };
    await until(isFull);
    held.socket.destroy();
    refused.socket.destroy();
    t.true(await until(async () => (await post(1.9 * MIB)) === 200));
  }
});

test('reads a body in chunks of one byte', async (t) => {
  const { port } = await serve(t);
  const text = JSON.stringify('a'.repeat(100_000));
  const head = `POST / HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
  const chunks = Array.from(text, (byte) => `1\r\n${byte}\r\n`).join('');
  const { closed } = openRaw(port, `${head}Connection: close\r\n\r\n${chunks}0\r\n\r\n`);
  const received = await closed;
  t.is(readAnswers(received)[0]?.status, 200);
  t.true(received.endsWith(`${text.length}`), received.slice(-40));
});

test('refuses a body in chunks when it exceeds the remaining limit', async (t) => {
  const { port } = await serve(t, { maxBodyBytesInFlight: MIB });
  const head = `POST / HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `${(2 * MIB).toString(16)}\r\n${' '.repeat(2 * MIB)}\r\n`;
  const connection = openRaw(port, head + chunk);
  await until(() => connection.received().endsWith('}'));
  t.like(readAnswers(connection.received())[0], { status: 503, code: 'OVERLOADED' });
  connection.socket.write(`0\r\n\r\nGET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  t.deepEqual(
    readAnswers(await connection.closed).map(({ status }) => status),
    [503, 200],
  );
});

test('a body before CONNECT returns its bytes when the connection is reset', async (t) => {
  const { port } = await serve(t, { maxBodyBytesInFlight: 4 * MIB });
  const body = Buffer.from(JSON.stringify('a'.repeat(1.9 * MIB)));
  const head = `POST /held HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const connect = Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
  const message = Buffer.concat([Buffer.from(head), body, connect]);
  // The earlier request may still hold its bytes for a moment. Then this request is refused, and sent again.
  const isHeld = async () => {
    const { socket } = openRaw(port, message);
    const isFull = () => postSpaces(port, MIB).then((status) => status === 503);
    const found = await waitFor(isFull, { timeoutMs: 3000 });
    socket.resetAndDestroy();
    return found;
  };
  for (let round = 0; round < 3; round += 1) {
    await until(isHeld);
    t.true(await until(async () => (await postSpaces(port, MIB)) !== 503));
  }
});
