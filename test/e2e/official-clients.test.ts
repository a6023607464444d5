import { ExactEvmScheme } from '@x402/evm/exact/client';
import { createSIWxClientExtension, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import test from 'ava';
import type { PrivateKeyAccount } from 'viem/accounts';
import { responseOf } from '../kit/buyers.ts';
import { createWallet } from '../kit/chain.ts';
import { CONVERT, fundedWallet, GEOCODE, headerOf, REVERSE_GEOCODE, readAnswer } from '../kit/client.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

const BODY = {
  html: '<title>Roads</title><h1>Roads</h1><p>See <a href="/toll">tolls</a>.</p>',
  sourceUrl: 'https://example.com/a',
};
const MARKDOWN = '# Roads\n\nSee [tolls](https://example.com/toll).\n';
const REQUEST = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(BODY),
} as const;

const NETWORK = 'eip155:31337';
/** The client only knows the usual tokens of public networks, so the sandbox's token must be allowed by name. */
const ASSET = {
  network: NETWORK,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  maxAmountPerPayment: '14000',
} as const;

const payingClient = (wallet: PrivateKeyAccount) => {
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(wallet));
  client.setSpendControls({ allowedAssets: [ASSET] });
  return client;
};

test('official clients pay for maps and try maps', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const paidFetch = wrapFetchWithPayment(fetch, payingClient(wallet));
  const body = JSON.stringify({ query: 'Łódź', limit: 1 });
  const found = await readAnswer(await paidFetch(stack.urls[0] + GEOCODE, { ...REQUEST, body }));
  t.like(found.json, { count: 1, results: [{ countryCode: 'PL' }] }, found.text);
  t.true(responseOf(found).success);

  const trialFetch = wrapFetchWithSIWx(fetch, createWallet());
  const point = JSON.stringify({ latitude: 51.76, longitude: 19.46 });
  const named = await readAnswer(await trialFetch(stack.urls[0] + REVERSE_GEOCODE, { ...REQUEST, body: point }));
  t.like(named.json, { coordinates: { latitude: 51.76, longitude: 19.46 } }, named.text);
  t.is(named.headers.get('x-trial-status'), 'charged');
});

test('both clients together pay once the credit is exhausted', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const client = payingClient(wallet);
  client.registerExtension(createSIWxClientExtension({ signers: [wallet] }));
  const anyFetch = wrapFetchWithPayment(fetch, client);
  const modes: string[] = [];
  for (let call = 0; call < 18; call += 1) {
    const answer = await readAnswer(await anyFetch(stack.urls[0] + CONVERT, REQUEST));
    t.is(answer.status, 200, answer.text);
    t.is(answer.json?.['markdown'], MARKDOWN);
    const isPaid = answer.headers.has('payment-response');
    modes.push(isPaid ? 'paid' : headerOf(answer, 'x-trial-status'));
    t.is(answer.headers.get('x-access-mode'), isPaid ? null : 'trial');
    t.is(answer.headers.get('x-trial-accounting-status'), isPaid ? null : 'confirmed');
    if (isPaid) t.like(responseOf(answer), { success: true, payer: wallet.address });
  }
  // 50000 micro-USD cover sixteen calls of 3000.
  t.deepEqual(modes, [...Array<string>(16).fill('charged'), 'paid', 'paid']);
});
