import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createClient, type Store } from '../../../gateway/client/client.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { createWallet } from '../../kit/chain.ts';
import { fromBase64, toBase64 } from '../../kit/client.ts';
import { answering, type Behaviour, resetting, silent, startUpstream } from '../../kit/upstream-server.ts';
import { TERMS } from '../access/offer/offer-fixture.ts';
import { type Asked, type Change, challenging, failing, INPUT, offerAt, PRICE, RESULT } from './seller.ts';

const EXACT = { pay: 'exact', maxPrice: PRICE } as const;
const wallet = createWallet();
const SETTLED = {
  success: true,
  network: TERMS.network,
  payer: wallet.address,
  amount: String(PRICE),
  transaction: `0x${'1'.repeat(64)}`,
};

const Payment = Type.Object({
  payload: Type.Object({ authorization: Type.Object({ validBefore: Type.String(), from: Type.String() }) }),
});
const readPayment = createReader(Payment, 'the payment');

const settled = (changes: object = {}, headers: Readonly<Record<string, string>> = {}): Asked => {
  const response = toBase64({ ...SETTLED, ...changes });
  return () => answering(RESULT, 200, { 'payment-response': response, ...headers });
};

const refusing =
  (reason: string, headers: Readonly<Record<string, string>> = {}): Asked =>
  (origin) =>
    answering('{}', 402, { 'payment-required': offerAt(origin).payment(reason).header, ...headers });

async function open(t: ExecutionContext, { store = createMemoryStore(), timeoutMs = 10_000 } = {}) {
  const server = await startUpstream(t);
  const client = createClient({ origin: server.baseUrl.origin, signer: wallet, store, timeoutMs });
  return {
    store,
    call: (...answers: readonly Asked[]) => {
      const behaviours: readonly Behaviour[] = answers.map((answer) => answer(server.baseUrl));
      server.behave(...behaviours, silent);
      return client.call('html-to-markdown', INPUT, EXACT);
    },
    payments: () => server.seen.flatMap(({ headers }) => headers['payment-signature'] ?? []),
  };
}

const LATER = { date: new Date(Date.now() + 3_600_000).toUTCString() };
const RESPONSE = { 'payment-response': toBase64({ success: false }) };

type Row = readonly [title: string, answer: Asked, code: string, how: string];

const openRows: readonly Row[] = [
  ['a result without a settlement', () => answering(RESULT), 'UNCONFIRMED', 'same-payment'],
  ['a settlement that failed', settled({ success: false }), 'UNCONFIRMED', 'same-payment'],
  ['a settlement on another network', settled({ network: 'eip155:1' }), 'UNCONFIRMED', 'same-payment'],
  ['a settlement of another payer', settled({ payer: createWallet().address }), 'UNCONFIRMED', 'same-payment'],
  ['a settlement of another amount', settled({ amount: '3001' }), 'UNCONFIRMED', 'same-payment'],
  ['a settlement without a transaction', settled({ transaction: '' }), 'UNCONFIRMED', 'same-payment'],
  ['a result that is also a trial', settled({}, { 'x-access-mode': 'trial' }), 'UNCONFIRMED', 'same-payment'],
  ['402 after settlement failed', refusing('not settled', RESPONSE), 'NOT_SETTLED', 'same-payment'],
  ['409', failing(409, 'PAYMENT_REUSED'), 'PAYMENT_REUSED', 'never'],
  ['429', failing(429, 'RATE_LIMITED'), 'RATE_LIMITED', 'same-payment'],
  ['500', failing(500, 'INTERNAL'), 'INTERNAL', 'same-payment'],
  ['502', failing(502, 'UPSTREAM_FAILURE'), 'UPSTREAM_FAILURE', 'same-payment'],
  ['503', failing(503, 'SETTLEMENT_PENDING'), 'SETTLEMENT_PENDING', 'same-payment'],
  ['504', failing(504, 'UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT', 'same-payment'],
  ['a redirect', () => answering('', 307, { location: '/' }), 'NO_ANSWER', 'same-payment'],
  ['a reset', () => resetting, 'NO_ANSWER', 'same-payment'],
];
for (const [title, answer, code, how] of openRows) {
  test(`after ${title}, the next call sends the same payment, and no other`, async (t) => {
    const { call, payments, store } = await open(t);
    const [outcome] = [await call(challenging(), answer)];
    const [kept] = await store.list('');
    t.like(outcome, { ok: false, charged: 'unknown', code, retry: { how, payment: kept?.name } });
    t.like(await call(failing(400, 'INVALID_REQUEST')), { ok: false, charged: 'unknown', code: 'INVALID_REQUEST' });
    t.like(await call(refusing('refused')), { ok: false, charged: 'unknown', code: 'NOT_SETTLED' });
    t.like(await call(settled()), { ok: true, paidBy: 'exact', transaction: SETTLED.transaction, result: RESULT });
    t.is(payments().length, 4);
    t.deepEqual(new Set(payments()), new Set([kept?.value]));
    t.deepEqual(await store.list(''), []);
  });
}

const freeRows: readonly Row[] = [
  ['a refusal', refusing('insufficient_funds: too little'), 'insufficient_funds', 'change'],
  ['a refusal after it expired', refusing('expired', { ...RESPONSE, ...LATER }), 'expired', 'again'],
  ['400', failing(400, 'MALFORMED_PAYMENT'), 'MALFORMED_PAYMENT', 'change'],
  ['413', failing(413, 'BODY_TOO_LARGE'), 'BODY_TOO_LARGE', 'change'],
  ['a document that is too slow', failing(504, 'DOCUMENT_TOO_SLOW'), 'DOCUMENT_TOO_SLOW', 'change'],
];
for (const [title, answer, code, how] of freeRows) {
  test(`after ${title}, nothing was charged, and the next call signs another payment`, async (t) => {
    const { call, payments } = await open(t);
    t.like(await call(challenging(), answer), { ok: false, charged: 'no', code, retry: { how } });
    t.like(await call(challenging(), settled()), { ok: true });
    t.is(new Set(payments()).size, 2);
  });
}

test('an open payment is given up when it is refused after it expired, and not before', async (t) => {
  const { call, payments, store } = await open(t);
  await call(challenging(), () => resetting);
  const early = await call(refusing('expired'));
  t.true(!early.ok && early.retry.how === 'same-payment' && early.retry.afterMs > 0);
  t.like(await call(refusing('expired', LATER)), { ok: false, charged: 'no', retry: { how: 'again' } });
  t.is(new Set(payments()).size, 1);
  t.deepEqual(await store.list(''), []);
});

for (const [title, validBeforeMs, charged] of [
  ['half an hour', -1_800_000, 'unknown'],
  ['two hours', -7_200_000, 'no'],
] as const) {
  test(`without the server's time, a refusal ${title} after it expired leaves its charge ${charged}`, async (t) => {
    const { call, store } = await open(t);
    await call(challenging(), () => resetting);
    const [kept] = await store.list('');
    const payment = structuredClone(readPayment(fromBase64(String(kept?.value))));
    payment.payload.authorization.validBefore = `${Math.floor((Date.now() + validBeforeMs) / 1000)}`;
    await store.set(String(kept?.name), toBase64(payment));
    const outcome = await call((origin) => (response, request) => {
      response.sendDate = false;
      refusing('expired')(origin)(response, request);
    });
    t.like(outcome, { ok: false, charged });
  });
}

test('a time-out leaves the payment open', async (t) => {
  const { call } = await open(t, { timeoutMs: 1000 });
  t.like(await call(challenging(), () => silent), { ok: false, code: 'NO_ANSWER' });
});

const offerRows: readonly Change[] = [
  ['accepts', undefined],
  ['accepts.0', null],
  ['accepts.0.scheme', 'upto'],
  ['accepts.0.network', 'eip155:1'],
  ['accepts.0.network', 'constructor'],
  ['accepts.0.asset', '0x0000000000000000000000000000000000000001'],
  ['accepts.0.payTo', '0x1'],
  ['accepts.0.amount', '0'],
  ['accepts.0.amount', '1e3'],
  ['accepts.0.amount', 3000],
  ['accepts.0.maxTimeoutSeconds', 0],
  ['accepts.0.maxTimeoutSeconds', 86_400],
  ['accepts.0.maxTimeoutSeconds', '180'],
  ['accepts.0.extra', null],
  ['accepts.0.extra.name', 'Other Coin'],
  ['accepts.0.extra.version', '1'],
];
for (const change of offerRows) {
  test(`no payment is signed for ${JSON.stringify(change)}`, async (t) => {
    const { call, payments } = await open(t);
    t.like(await call(challenging(change)), { ok: false, charged: 'no', code: 'WRONG_OFFER' });
    t.deepEqual(payments(), []);
  });
}

test('a payment that cannot be kept is not sent', async (t) => {
  const full = () => Promise.reject(new Error('full'));
  const { call, payments } = await open(t, { store: { ...createMemoryStore(), set: full } });
  t.like(await call(challenging()), { ok: false, code: 'STORE_FAILED', charged: 'no' });
  const unread = await open(t, { store: { ...createMemoryStore(), list: full } });
  t.like(await unread.call(challenging()), { ok: false, code: 'STORE_FAILED', charged: 'no' });
  t.deepEqual([payments(), unread.payments()], [[], []]);
});

test('a result whose payment stays in the store is answered again, and not paid again', async (t) => {
  let remove: Store['delete'] = () => Promise.reject(new Error('read-only'));
  const memory = createMemoryStore();
  const { call, payments } = await open(t, { store: { ...memory, delete: (name) => remove(name) } });
  t.like(await call(challenging(), settled()), { ok: false, code: 'STORE_FAILED', charged: 'yes' });
  remove = memory.delete;
  t.like(await call(settled()), { ok: true });
  t.is(new Set(payments()).size, 1);
});

test('a damaged store stops the call', async (t) => {
  const { call, payments, store } = await open(t);
  await call(challenging(), () => resetting);
  const [kept] = await store.list('');
  await store.set(String(kept?.name), 'e30=');
  t.like(await call(), { ok: false, code: 'STORE_FAILED', charged: 'unknown', retry: { how: 'never' } });
  t.is(payments().length, 1);
});

test('an open payment above maxPrice is not sent', async (t) => {
  const server = await startUpstream(t);
  server.behave(challenging()(server.baseUrl), resetting);
  const client = createClient({ origin: server.baseUrl.origin, signer: wallet });
  await client.call('html-to-markdown', INPUT, EXACT);
  const outcome = await client.call('html-to-markdown', INPUT, { pay: 'exact', maxPrice: PRICE - 1n });
  t.like(outcome, { ok: false, code: 'PRICE_TOO_HIGH', charged: 'unknown', retry: { how: 'same-payment' } });
  t.is(server.seen.length, 2);
});

test('a wallet that does not sign pays nothing', async (t) => {
  const server = await startUpstream(t);
  server.behave(challenging()(server.baseUrl), silent);
  const signer = { ...wallet, signTypedData: () => Promise.reject(new Error('declined')) };
  const outcome = await createClient({ origin: server.baseUrl.origin, signer }).call('html-to-markdown', INPUT, EXACT);
  t.like(outcome, { ok: false, code: 'NOT_SIGNED', charged: 'no' });
});

test('arguments that cannot be used are thrown', async (t) => {
  const client = createClient({ origin: 'http://127.0.0.1:1', signer: wallet });
  // Callers without types can send anything.
  const call = (...args: readonly unknown[]) => Reflect.apply(client.call, client, args);
  for (const options of [
    { pay: 'auto' },
    { pay: 'exact', maxPrice: 3000 },
    { pay: 'exact', maxPrice: 0n },
    { pay: 'card' },
  ])
    await t.throwsAsync(call('html-to-markdown', INPUT, options), { instanceOf: TypeError });
  await t.throwsAsync(call('other', INPUT, EXACT), { instanceOf: TypeError });
  const elsewhere = createClient({ origin: 'http://127.0.0.1:1/path', signer: wallet });
  await t.throwsAsync(elsewhere.call('html-to-markdown', INPUT, EXACT), { instanceOf: TypeError });
});
