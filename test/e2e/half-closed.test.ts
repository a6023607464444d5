import test from 'ava';
import { openRaw, readAnswers } from '../gateway/http/raw-client.ts';
import { createWallet } from '../helpers/chain.ts';
import { CONVERT, post, signIn, toBase64 } from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const stack = await useSharedStack();
const [origin] = stack.urls;
const { host, port } = new URL(origin);
test.after.always(() => stack.stop());

/** Sends a request and ends this side of the connection, as netcat and some proxies do. */
async function sendAndEnd(line: string, body = '', headers: readonly string[] = []): Promise<string> {
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', ...headers];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const { socket, closed } = openRaw(Number(port), [...lines, length, '', body].join('\r\n'));
  socket.end();
  return closed;
}

test('a client that ends its side after a request gets the answer to whatever it asked', async (t) => {
  const { address } = createWallet();
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const asked: readonly (readonly [string, string, RegExp])[] = [
    ['GET /', '', /<\/html>\s*$/],
    ['GET /openapi.json', '', /}$/],
    ['GET /metrics', '', /\n$/],
    ['POST /mcp', JSON.stringify(listTools), /html_to_markdown/],
    ['POST /sandbox/faucet', JSON.stringify({ address }), /balanceAtomic/],
  ];
  for (const [line, body, expected] of asked) {
    const received = await sendAndEnd(line, body);
    t.deepEqual(
      readAnswers(received).map(({ status }) => status),
      [200],
      line,
    );
    t.regex(received, expected, line);
  }
});

test('a trial on a connection that the client has half closed is charged and answered', async (t) => {
  const body = { html: '<h1>Half closed</h1>' };
  const proof = await signIn(await post(`${origin}${CONVERT}`, body), createWallet());
  const received = await sendAndEnd(`POST ${CONVERT}`, JSON.stringify(body), [`SIGN-IN-WITH-X: ${toBase64(proof)}`]);
  t.is(readAnswers(received)[0]?.status, 200);
  t.regex(received, /^x-trial-status: charged\r$/im);
  t.regex(received, /# Half closed/);
});
