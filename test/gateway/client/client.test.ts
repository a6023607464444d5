import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createClient } from '../../../gateway/client/client.ts';
import { createFileStore } from '../../../gateway/client/file-store.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { FUNDS, PRICE } from '../../kit/buyers.ts';
import { connectChain, createWallet } from '../../kit/chain.ts';
import { CONVERT, fundedWallet, post, requirementsOf } from '../../kit/client.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const INPUT = { sourceUrl: 'https://example.com', html: '<h1>Toll é</h1>' };
const EXACT = { pay: 'exact', maxPrice: PRICE } as const;

const stack = await useSharedStack();
const [origin] = stack.urls;
const [{ asset, network }] = requirementsOf(await post(origin + CONVERT, {})).accepts;
const chain = connectChain(stack.chainUrl, asset);
const folder = createTestFolder();
test.after.always(async () => {
  folder.remove();
  await stack.stop();
});

/** Passes requests on, and keeps the payments in them. */
function recordPayments() {
  const payments: string[] = [];
  const record: typeof fetch = (url, init) => {
    const payment = new Headers(init?.headers).get('payment-signature');
    if (payment !== null) payments.push(payment);
    return fetch(url, init);
  };
  return { payments, fetch: record };
}

test('a trial is charged to the credit, and a quote and the balance are told', async (t) => {
  const client = createClient({ origin, signer: createWallet() });
  t.deepEqual(await client.quote('geocode'), { ok: true, priceMicroUsd: 14_000n, coveredByInitialGrant: true });
  t.is(client.balance(), undefined);
  const outcome = await client.call('html-to-markdown', INPUT, { pay: 'trial' });
  t.like(outcome, { ok: true, paidBy: 'trial', priceMicroUsd: PRICE, balanceMicroUsd: 47_000n });
  t.is(outcome.ok && outcome.result.markdown, '# Toll é\n');
  t.is(client.balance(), 47_000n);
});

test('a payment is settled on the chain, for each of two equal calls at once', async (t) => {
  const signer = await fundedWallet(origin);
  const client = createClient({ origin, signer });
  const call = () => client.call('html-to-markdown', INPUT, EXACT);
  const outcomes = await Promise.all([call(), call()]);
  for (const outcome of outcomes) t.like(outcome, { ok: true, paidBy: 'exact', priceMicroUsd: PRICE, network });
  t.is(await chain.balanceOf(signer.address), FUNDS - 2n * PRICE);
});

test('auto pays when the credit does not cover the call, and not before', async (t) => {
  const signer = await fundedWallet(origin);
  const client = createClient({ origin, signer });
  const ways: unknown[] = [];
  for (let limit = 1; limit <= 4; limit += 1) {
    const outcome = await client.call('geocode', { query: 'Vienna', limit }, { pay: 'auto', maxPrice: 14_000n });
    ways.push(outcome.ok ? outcome.paidBy : outcome);
  }
  t.deepEqual(ways, ['trial', 'trial', 'trial', 'exact']);
  t.is(client.balance(), 8000n);
  t.is(await chain.balanceOf(signer.address), FUNDS - 14_000n);
});

test('a trial never pays: it ends where the credit does', async (t) => {
  const { payments, fetch } = recordPayments();
  const client = createClient({ origin, signer: createWallet(), fetch });
  for (let limit = 1; limit <= 3; limit += 1)
    await client.call('geocode', { query: 'Vienna', limit }, { pay: 'trial' });
  t.like(await client.call('geocode', { query: 'Vienna' }, { pay: 'trial' }), {
    ok: false,
    code: 'insufficient_balance',
    charged: 'no',
    retry: { how: 'pay' },
  });
  t.deepEqual(payments, []);
});

test('a call above maxPrice and an invalid input are not paid', async (t) => {
  const { payments, fetch } = recordPayments();
  const client = createClient({ origin, signer: createWallet(), fetch });
  for (const pay of ['exact', 'auto'] as const) {
    const outcome = await client.call('html-to-markdown', INPUT, { pay, maxPrice: PRICE - 1n });
    t.like(outcome, { ok: false, code: 'PRICE_TOO_HIGH', charged: 'no', retry: { how: 'change' } });
    const invalid = await client.call('html-to-markdown', { html: ' ' }, { pay, maxPrice: PRICE });
    t.like(invalid, { ok: false, code: 'INVALID_REQUEST', charged: 'no', status: 400, retry: { how: 'change' } });
  }
  t.deepEqual(payments, []);
});

test('a wallet without funds is refused, and not asked to send the payment again', async (t) => {
  const { payments, fetch } = recordPayments();
  const client = createClient({ origin, signer: createWallet(), fetch });
  const outcome = await client.call('html-to-markdown', INPUT, EXACT);
  t.like(outcome, { ok: false, code: 'invalid_exact_evm_insufficient_balance', charged: 'no', status: 402 });
  await client.call('html-to-markdown', INPUT, EXACT);
  t.is(new Set(payments).size, 2);
});

test('a payment whose answer was lost is sent again as it was, and is charged once', async (t) => {
  const signer = await fundedWallet(origin);
  const store = createMemoryStore();
  const lossy: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (new Headers(init?.headers).has('payment-signature')) throw new TypeError('the connection broke');
    return answer;
  };
  const lost = await createClient({ origin, signer, store, fetch: lossy }).call('html-to-markdown', INPUT, EXACT);
  t.like(lost, { ok: false, code: 'NO_ANSWER', charged: 'unknown', retry: { how: 'same-payment', afterMs: 0 } });
  const [kept] = await store.list('');
  const { payments, fetch: recording } = recordPayments();
  const client = createClient({ origin, signer, store, fetch: recording });
  t.like(await client.call('html-to-markdown', INPUT, { pay: 'auto', maxPrice: PRICE }), { ok: true, paidBy: 'exact' });
  t.deepEqual(payments, [kept?.value]);
  t.is(await chain.balanceOf(signer.address), FUNDS - PRICE);
  t.deepEqual(await store.list(''), []);
});

test('after a process died between sending and the answer, another one sends the same bytes', async (t) => {
  const key = generatePrivateKey();
  const signer = await fundedWallet(origin, () => privateKeyToAccount(key));
  const path = join(folder.path, 'payments');
  const program = fileURLToPath(new URL('./dying-caller.ts', import.meta.url));
  const child = spawn(process.execPath, [program, origin, key, path, JSON.stringify(INPUT)], { stdio: 'inherit' });
  t.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  const store = createFileStore(path);
  const [kept] = await store.list('');
  const { payments, fetch } = recordPayments();
  const outcome = await createClient({ origin, signer, store, fetch }).call('html-to-markdown', INPUT, EXACT);
  t.like(outcome, { ok: true, paidBy: 'exact', priceMicroUsd: PRICE });
  t.deepEqual(payments, [kept?.value]);
  t.is(await chain.balanceOf(signer.address), FUNDS - PRICE);
  t.deepEqual(await store.list(''), []);
});
