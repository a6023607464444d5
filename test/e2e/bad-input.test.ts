import { connect } from 'node:net';
import test from 'ava';
import { operations } from '../../gateway/operations/index.ts';
import { decodePayment, signPayment } from '../kit/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  errorOf,
  fundedWallet,
  headerOf,
  pay,
  post,
  rawRequest,
  requirementsOf,
  toBase64,
} from '../kit/client.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

// Most refusals are tested in test/gateway/operations/bad-input.test.ts, without services. Here is one for each route, what
// only the whole connection can show, and what the services refuse.

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
test.after.always(() => stack.stop());

const BODY = { html: '<p>Hello' };
const JSON_TYPE = { 'content-type': 'application/json' };

function answers(title: string, status: number, code: string, send: () => Promise<Answer>): void {
  test(`${title}: ${status} ${code}`, async (t) => {
    const answer = await send();
    t.is(answer.status, status, answer.text);
    t.is(codeOf(answer), code);
    t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
    t.is(answer.headers.get('x-access-mode'), null);
    t.is(answer.headers.get('payment-response'), null);
  });
}

for (const { name, path, requestExample } of operations) {
  answers(`${name} refuses an unknown property`, 400, 'INVALID_REQUEST', () =>
    post(stack.urls[0] + path, { ...requestExample, other: 1 }),
  );
}
answers('a faucet request without an address', 400, 'INVALID_REQUEST', () =>
  post(`${stack.urls[0]}/sandbox/faucet`, {}),
);
answers('an unknown path', 404, 'NOT_FOUND', () => post(`${stack.urls[0]}/api/v1/content/nothing`, BODY));

// Connections

test('a client that is still sending too large a body can read the refusal', async (t) => {
  const body = JSON.stringify({ html: 'a'.repeat(9 * 1024 * 1024) });
  for (let n = 0; n < 10; n += 1) t.is((await fetch(url, { method: 'POST', headers: JSON_TYPE, body })).status, 413);
});
answers('33 KB of headers', 431, 'HEADERS_TOO_LARGE', () =>
  rawRequest(url, { headers: { ...JSON_TYPE, 'x-filler': 'a'.repeat(33_000) }, body: JSON.stringify(BODY) }),
);

test('answers non-HTTP bytes with 400 INVALID_REQUEST in the envelope and closes the connection', async (t) => {
  const text = await new Promise<string>((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
    let received = '';
    socket.on('data', (data) => {
      received += String(data);
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  t.regex(text, /^HTTP\/1\.1 400 /);
  t.regex(text, /"code":"INVALID_REQUEST"/);
});

answers('a payment used for another body', 409, 'PAYMENT_REUSED', async () => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, BODY)), wallet);
  const first = await post(url, BODY, { 'payment-signature': payment });
  if (first.status !== 200) throw new Error(first.text);
  return post(url, { html: '<p>Other' }, { 'payment-signature': payment });
});

test('takes a payment with null and unknown members, and says what is wrong with one in the future', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = decodePayment(await pay(requirementsOf(await post(url, BODY)), wallet));
  const accepted = { ...payment.accepted, memo: null, extra: { ...payment.accepted.extra, decimals: 6 } };
  const padded = { ...payment, accepted, resource: null, extensions: null, memo: null };
  const answer = await post(url, BODY, { 'payment-signature': toBase64(padded) });
  t.is(answer.status, 200, answer.text);
  const validAfter = `${Math.floor(Date.now() / 1000) + 600}`;
  const later = await signPayment(wallet, payment.accepted, { validAfter });
  const refused = await post(url, BODY, { 'payment-signature': toBase64(later) });
  t.is(refused.status, 402, refused.text);
  t.regex(requirementsOf(refused).error, /_valid_after: validAfter must be at most \d{10}, the time here$/);
});
