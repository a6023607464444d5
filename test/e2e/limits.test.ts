import test from 'ava';
import { createWallet } from '../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, post, rawRequest, signIn, toBase64 } from '../helpers/client.ts';
import { startExtraGateway } from '../helpers/extra-gateway.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const LIMIT = 30;
const BODY = { html: '<h1>Limits</h1>' };
const stack = await useSharedStack();
const gateway = await startExtraGateway(stack, { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '127.0.0.0/8' });
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

/** The header by which a trusted proxy names its client. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const summaryOf = (answer: Answer) =>
  `${answer.status} ${codeOf(answer) ?? answer.headers.get('x-trial-status') ?? answer.text}`;
const challenge = (address: string) => post(gateway.url + CONVERT, BODY, from(address));

test.serial('unsigned requests over the limit of their address get 429 with Retry-After', async (t) => {
  const answers = await Promise.all(Array.from({ length: LIMIT + 10 }, () => challenge('192.0.2.1')));
  const isRefused = (answer: Answer) => codeOf(answer) === 'RATE_LIMITED';
  const admitted = answers.filter((answer) => !isRefused(answer));
  t.deepEqual(
    admitted.map(summaryOf),
    Array.from({ length: LIMIT }, () => '402 challenge'),
  );
  for (const { status, headers } of answers.filter(isRefused)) {
    t.is(status, 429);
    t.true(Number(headers.get('retry-after')) > 0);
  }
});

test.serial('another address is not affected, and an IPv6 client counts as its /64', async (t) => {
  t.is((await challenge('192.0.2.2')).status, 402);
  await Promise.all(Array.from({ length: LIMIT }, (_, index) => challenge(`2001:db8::${index + 1}`)));
  t.is((await challenge('2001:db8::ffff')).status, 429);
  t.is((await challenge('2001:db8:0:1::1')).status, 402);
});

test.serial('failed requests count against the limit', async (t) => {
  const url = gateway.url + CONVERT;
  const send = () => post(url, { html: '' }, from('192.0.2.3'));
  const answers = await Promise.all(Array.from({ length: LIMIT + 1 }, send));
  t.is(answers.filter(({ status }) => status === 400).length, LIMIT);
  t.is(answers.filter(({ status }) => status === 429).length, 1);
});

test.serial('requests that succeed do not count against the limit', async (t) => {
  const url = gateway.url + CONVERT;
  const proofs: string[] = [];
  // Asks for the challenges from two addresses and sends the proofs from a third.
  for (let n = 0; n < 20; n += 1) proofs.push(toBase64(await signIn(await challenge('192.0.2.4'), createWallet())));
  for (let n = 0; n < 12; n += 1) proofs.push(toBase64(await signIn(await challenge('192.0.2.5'), createWallet())));
  const answers = await Promise.all(
    proofs.map((proof) => post(url, BODY, { ...from('192.0.2.6'), 'sign-in-with-x': proof })),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.is((await challenge('192.0.2.6')).status, 402);
});

test.serial('an address over its limit still gets the outcome of an admitted trial', async (t) => {
  const url = gateway.url + CONVERT;
  const body = { html: '<i>'.repeat(600_000) };
  const proof = toBase64(await signIn(await post(url, body, from('192.0.2.7')), createWallet()));
  const failed = Array.from({ length: LIMIT + 1 }, () => post(url, { html: '' }, from('192.0.2.8')));
  t.true((await Promise.all(failed)).some(({ status }) => status === 429));
  const answer = await post(url, body, { ...from('192.0.2.8'), 'sign-in-with-x': proof });
  t.is(codeOf(answer), 'DOCUMENT_TOO_COMPLEX');
  t.is(answer.headers.get('x-access-mode'), 'trial');
  t.is(answer.headers.get('x-trial-status'), 'released');
});

test.serial('requests for health are not limited', async (t) => {
  for (let n = 0; n < LIMIT + 5; n += 1) {
    t.is((await rawRequest(`${gateway.url}/health/live`, { method: 'GET', headers: from('192.0.2.1') })).status, 200);
  }
});
