import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type ClientOptions, createClient } from '../../../gateway/client/client.ts';
import { createFileStore } from '../../../gateway/client/file-store.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { DEPOSIT, FUNDS, openBuyers, PRICE } from '../../kit/buyers.ts';
import { connectChain } from '../../kit/chain.ts';
import { CONVERT, fundedWallet, post, requirementsOf } from '../../kit/client.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const INPUT = { html: '<h1>Toll é</h1>' };
const CHANNEL = { pay: 'channel', maxPrice: PRICE } as const;
const OPEN = { amount: DEPOSIT, maxPrice: PRICE };

const stack = await useSharedStack();
const [origin] = stack.urls;
const [{ asset }] = requirementsOf(await post(origin + CONVERT, {})).accepts;
const chain = connectChain(stack.chainUrl, asset);
const folder = createTestFolder();
test.after.always(async () => {
  folder.remove();
  await stack.stop();
});

/** A client with a funded wallet. `lossy` loses the answers to its payments, and `payments` are what it sent. */
async function openClient(options: Partial<ClientOptions> = {}) {
  const { signer = await fundedWallet(origin), store = createMemoryStore() } = options;
  const payments: string[] = [];
  const course = { lossy: false };
  const client = createClient({
    origin,
    signer,
    store,
    fetch: async (url, init) => {
      const payment = new Headers(init?.headers).get('payment-signature');
      const answer = await fetch(url, init);
      if (payment === null) return answer;
      payments.push(payment);
      if (course.lossy) throw new TypeError('the connection broke');
      return answer;
    },
    ...options,
  });
  return { client, signer, store, payments, course, balance: () => chain.balanceOf(signer.address) };
}

test('a deposit pays for many calls, one after the other, and what is left comes back', async (t) => {
  const { client, balance } = await openClient();
  const opened = await client.channels.open('html-to-markdown', INPUT, OPEN);
  t.like(opened, { ok: true, paidBy: 'channel', priceMicroUsd: PRICE, chargedMicroUsd: PRICE });
  t.regex(String(opened.ok && opened.paidBy === 'channel' && opened.deposit), /^0x/);
  t.is(await balance(), FUNDS - DEPOSIT);
  const call = async () => {
    const outcome = await client.call('html-to-markdown', INPUT, CHANNEL);
    if (!outcome.ok || outcome.paidBy !== 'channel') throw new Error(outcome.ok ? outcome.paidBy : outcome.code);
    t.deepEqual([outcome.deposit, outcome.result.markdown], [undefined, '# Toll é\n']);
    return outcome.chargedMicroUsd / PRICE;
  };
  t.deepEqual((await Promise.all([call(), call(), call()])).sort(), [2n, 3n, 4n]);
  t.like(await client.channels.refund(1000n), { ok: true, amountMicroUsd: 1000n });
  t.like(await client.channels.close(), { ok: true, amountMicroUsd: DEPOSIT - 4n * PRICE - 1000n });
  t.is(await balance(), FUNDS - 4n * PRICE);
  t.like(await client.call('html-to-markdown', INPUT, CHANNEL), { ok: false, charged: 'no', retry: { how: 'change' } });
  t.like(await client.channels.open('html-to-markdown', INPUT, OPEN), { ok: true, chargedMicroUsd: 5n * PRICE });
});

test('a call whose answer was lost is sent again as it was, and is charged once', async (t) => {
  const { client, payments, course, balance } = await openClient();
  course.lossy = true;
  const lost = await client.channels.open('html-to-markdown', INPUT, OPEN);
  t.like(lost, { ok: false, code: 'NO_ANSWER', charged: 'unknown', retry: { how: 'same-payment' } });
  t.like(await client.call('html-to-markdown', { html: 'other' }, CHANNEL), { ok: false, code: 'CHANNEL_OPEN' });
  t.like(await client.channels.close(), { ok: false, code: 'CHANNEL_OPEN', charged: 'no' });
  course.lossy = false;
  const found = await client.call('html-to-markdown', INPUT, { pay: 'auto', maxPrice: PRICE });
  t.like(found, { ok: true, paidBy: 'channel', chargedMicroUsd: PRICE });
  t.is(payments.length, 2);
  t.is(new Set(payments).size, 1);
  t.is(await balance(), FUNDS - DEPOSIT);
});

test('an open call that is given up costs its price at most', async (t) => {
  const { client, payments, course } = await openClient();
  await client.channels.open('html-to-markdown', INPUT, OPEN);
  course.lossy = true;
  await client.call('html-to-markdown', INPUT, CHANNEL);
  t.is(await client.channels.giveUp(), undefined);
  course.lossy = false;
  const next = await client.call('html-to-markdown', { html: 'other' }, CHANNEL);
  t.like(next, { ok: true, chargedMicroUsd: 3n * PRICE });
  t.is(payments.length, 4);
});

test('after a process died between sending and the answer, another one sends the same bytes', async (t) => {
  const key = generatePrivateKey();
  const signer = await fundedWallet(origin, () => privateKeyToAccount(key));
  const path = join(folder.path, 'channels');
  const program = fileURLToPath(new URL('./dying-caller.ts', import.meta.url));
  const args = [program, origin, key, path, JSON.stringify(INPUT), String(DEPOSIT)];
  t.deepEqual(await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit'), [null, 'SIGKILL']);
  const { client, payments, balance } = await openClient({ signer, store: createFileStore(path) });
  const [resumed] = await client.channels.resume();
  t.like(resumed, { ok: true, paidBy: 'channel', chargedMicroUsd: PRICE, result: { markdown: '# Toll é\n' } });
  t.is(payments.length, 1);
  t.deepEqual(await client.channels.resume(), []);
  t.like(await client.call('html-to-markdown', INPUT, CHANNEL), { ok: true, chargedMicroUsd: 2n * PRICE });
  t.is(await balance(), FUNDS - DEPOSIT);
});

test('a client that lost its store goes on from the charges that its own signature shows', async (t) => {
  const { client, signer, balance } = await openClient();
  await client.channels.open('html-to-markdown', INPUT, OPEN);
  await client.call('html-to-markdown', INPUT, CHANNEL);
  const forgetful = () => openClient({ signer, store: createMemoryStore() });
  const again = await (await forgetful()).client.channels.open('html-to-markdown', INPUT, OPEN);
  t.like(again, { ok: true, chargedMicroUsd: 3n * PRICE });
  t.is(await balance(), FUNDS - 2n * DEPOSIT);
  t.like(await (await forgetful()).client.channels.close(), { ok: true, amountMicroUsd: 2n * DEPOSIT - 3n * PRICE });
});

test('the official client and this one share a channel', async (t) => {
  const salt = `0x${'5'.repeat(64)}` as const;
  const buyer = await openBuyers(origin).channel({ salt });
  await buyer.call(CONVERT, INPUT);
  const { client } = await openClient({ signer: buyer.wallet, channelSalt: salt });
  const outcome = await client.call('html-to-markdown', INPUT, CHANNEL);
  t.like(outcome, { ok: true, channelId: buyer.channelId, chargedMicroUsd: 2n * PRICE });
});
