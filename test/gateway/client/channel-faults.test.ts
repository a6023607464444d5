import { signVoucher } from '@x402/evm/batch-settlement/client';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { reasonOf } from '../../../gateway/access/channel/channel-reason.ts';
import { createClient, type Store } from '../../../gateway/client/client.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { createWallet, type Wallet } from '../../kit/chain.ts';
import { fromBase64, toBase64 } from '../../kit/client.ts';
import { setAt } from '../../kit/set-at.ts';
import { answering, resetting, silent, startUpstream } from '../../kit/upstream-server.ts';
import { TERMS } from '../access/offer/offer-fixture.ts';
import { type Asked, type Change, challenging, failing, INPUT, offerAt, PRICE, RESULT } from './seller.ts';

const CHANNEL = { pay: 'channel', maxPrice: PRICE } as const;
const { network: NETWORK } = TERMS;
const wallet = createWallet();

const Hash = Type.Unsafe<`0x${string}`>(Type.String());
const readPayment = createReader(
  Type.Object({
    payload: Type.Object({ voucher: Type.Object({ channelId: Hash, maxClaimableAmount: Type.String() }) }),
  }),
  'the payment',
);
const voucherOf = (payment: unknown) => readPayment(fromBase64(String(payment))).payload.voucher;

/** Answers with a result whose voucher was charged, after changes of the decoded PAYMENT-RESPONSE. */
const charged =
  (changes: readonly Change[] = [], headers: Readonly<Record<string, string>> = {}): Asked =>
  () =>
  (response, request) => {
    const { channelId, maxClaimableAmount } = voucherOf(request.headers['payment-signature']);
    const channelState = { channelId, chargedCumulativeAmount: maxClaimableAmount };
    const extra = { chargedAmount: `${PRICE}`, channelState };
    const settled = { success: true, payer: wallet.address, network: NETWORK, transaction: '', amount: '', extra };
    for (const [path, value] of changes) setAt(settled, path.split('.'), value);
    answering(RESULT, 200, { 'payment-response': toBase64(settled), ...headers })(response, request);
  };

interface Corrected {
  /** The charges that are named. */
  readonly sum: bigint;
  /** What the shown voucher is for. Nothing is shown without it. */
  readonly signed?: bigint;
  readonly signer?: Wallet;
  readonly id?: string;
}

/** Refuses a voucher for its sum. */
const correcting =
  ({ sum, signed, signer = wallet, id }: Corrected): Asked =>
  (origin) =>
  async (response, request) => {
    const { channelId } = voucherOf(request.headers['payment-signature']);
    const voucher = signed && (await signVoucher(signer, channelId, `${signed}`, NETWORK));
    const { header } = offerAt(origin).payment(reasonOf('cumulative_amount_mismatch'), {
      channelState: { channelId: id ?? channelId, chargedCumulativeAmount: `${sum}` },
      ...(voucher && { voucherState: { signedMaxClaimable: `${signed}`, signature: voucher.signature } }),
    });
    answering('{}', 402, { 'payment-required': header })(response, request);
  };

const refusing =
  (reason: Parameters<typeof reasonOf>[0]): Asked =>
  (origin) =>
    answering('{}', 402, { 'payment-required': offerAt(origin).payment(reasonOf(reason)).header });

async function open(t: ExecutionContext, { store = createMemoryStore(), signer = wallet } = {}) {
  const server = await startUpstream(t);
  const client = createClient({ origin: server.baseUrl.origin, signer, store, timeoutMs: 10_000 });
  const payments = () => server.seen.flatMap(({ headers }) => headers['payment-signature'] ?? []);
  return {
    store,
    client,
    payments,
    sums: () => payments().map((payment) => BigInt(voucherOf(payment).maxClaimableAmount) / PRICE),
    answer: (...answers: readonly Asked[]) => server.behave(...answers.map((asked) => asked(server.baseUrl)), silent),
    call: (...answers: readonly Asked[]) => {
      server.behave(...answers.map((asked) => asked(server.baseUrl)), silent);
      return client.call('html-to-markdown', INPUT, CHANNEL);
    },
  };
}

const openRows: readonly (readonly [title: string, answer: Asked, code: string, how: string])[] = [
  ['a result without a charge', () => answering(RESULT), 'UNCONFIRMED', 'same-payment'],
  ['a charge that failed', charged([['success', false]]), 'UNCONFIRMED', 'same-payment'],
  ['another sum', charged([['extra.channelState.chargedCumulativeAmount', '6000']]), 'UNCONFIRMED', 'same-payment'],
  ['another price', charged([['extra.chargedAmount', '3001']]), 'UNCONFIRMED', 'same-payment'],
  [
    'another channel',
    charged([['extra.channelState.channelId', `0x${'1'.repeat(64)}`]]),
    'UNCONFIRMED',
    'same-payment',
  ],
  ['another payer', charged([['payer', createWallet().address]]), 'UNCONFIRMED', 'same-payment'],
  ['another network', charged([['network', 'eip155:1']]), 'UNCONFIRMED', 'same-payment'],
  ['a result that is also a trial', charged([], { 'x-access-mode': 'trial' }), 'UNCONFIRMED', 'same-payment'],
  ['409', failing(409, 'PAYMENT_REUSED'), 'PAYMENT_REUSED', 'never'],
  ['429', failing(429, 'RATE_LIMITED'), 'RATE_LIMITED', 'same-payment'],
  ['502', failing(502, 'UPSTREAM_FAILURE'), 'UPSTREAM_FAILURE', 'same-payment'],
  ['503', failing(503, 'SETTLEMENT_PENDING'), 'SETTLEMENT_PENDING', 'same-payment'],
  ['a redirect', () => answering('', 307, { location: '/' }), 'NO_ANSWER', 'same-payment'],
  ['a reset', () => resetting, 'NO_ANSWER', 'same-payment'],
];
for (const [title, answer, code, how] of openRows) {
  test(`after ${title}, the next call sends the same voucher`, async (t) => {
    const { call, client, payments } = await open(t);
    t.like(await call(challenging(), answer), { ok: false, charged: 'unknown', code, retry: { how } });
    t.like(await call(failing(400, 'INVALID_REQUEST')), { ok: false, charged: 'unknown' });
    t.like(await call(refusing('channel_busy')), { ok: false, charged: 'unknown', code: 'NOT_SETTLED' });
    t.like(await call(charged()), { ok: true, paidBy: 'channel', chargedMicroUsd: PRICE, result: RESULT });
    t.is(new Set(payments()).size, 1);
    t.deepEqual(await client.channels.resume(), []);
  });
}

for (const [title, answer, code, how] of [
  ['a busy channel', refusing('channel_busy'), reasonOf('channel_busy'), 'again'],
  ['an empty channel', refusing('cumulative_exceeds_balance'), reasonOf('cumulative_exceeds_balance'), 'change'],
  ['400', failing(400, 'MALFORMED_PAYMENT'), 'MALFORMED_PAYMENT', 'change'],
  ['a document that is too slow', failing(504, 'DOCUMENT_TOO_SLOW'), 'DOCUMENT_TOO_SLOW', 'change'],
] as const) {
  test(`after ${title}, nothing was charged, and the next voucher is for the same sum`, async (t) => {
    const { call, sums } = await open(t);
    t.like(await call(challenging(), answer), { ok: false, charged: 'no', code, retry: { how } });
    t.like(await call(challenging(), charged()), { ok: true });
    t.deepEqual(sums(), [1n, 1n]);
  });
}

const high = 9n * PRICE;
for (const [title, correction] of [
  ['shows no voucher', { sum: high }],
  ['shows the voucher of another wallet', { sum: high, signed: high, signer: createWallet() }],
  ['shows a voucher for less', { sum: high, signed: high - 1n }],
  ['is of another channel', { sum: 0n, id: `0x${'1'.repeat(64)}` }],
] as const) {
  test(`no more is signed after a correction that ${title}`, async (t) => {
    const { call, sums } = await open(t);
    t.like(await call(challenging(), correcting(correction)), { ok: false, charged: 'no', code: 'WRONG_CORRECTION' });
    t.deepEqual(sums(), [1n]);
  });
}

test('a correction with a voucher of the wallet is followed once, and one to less at once', async (t) => {
  const { call, sums } = await open(t);
  const shown = { sum: high, signed: high + PRICE };
  t.like(await call(challenging(), correcting(shown), charged()), { ok: true, chargedMicroUsd: 10n * PRICE });
  const lower = correcting({ sum: 4n * PRICE });
  t.like(await call(challenging(), lower, lower), { ok: false, charged: 'no', retry: { how: 'again' } });
  t.deepEqual(sums(), [1n, 10n, 11n, 5n]);
});

test('a correction tells whether an open call was charged', async (t) => {
  for (const [sum, outcome] of [
    [0n, { charged: 'no', retry: { how: 'again' } }],
    [PRICE, { charged: 'unknown', retry: { how: 'never' } }],
  ] as const) {
    const { call, sums } = await open(t);
    await call(challenging(), () => resetting);
    t.like(await call(correcting({ sum, signed: PRICE })), { ok: false, ...outcome });
    t.like(await call(challenging(), charged()), { ok: true, chargedMicroUsd: sum + PRICE });
    t.deepEqual(sums(), [1n, 1n, sum / PRICE + 1n]);
  }
});

for (const change of [
  ['accepts.1.scheme', 'upto'],
  ['accepts.1.asset', '0x0000000000000000000000000000000000000001'],
  ['accepts.1.amount', '0'],
  ['accepts.1.extra.receiverAuthorizer', '0x1'],
  ['accepts.1.extra.withdrawDelay', 899],
  ['accepts.1.extra.withdrawDelay', 2_592_001],
  ['accepts.1.extra.withdrawDelay', '900'],
  ['accepts.1.extra.name', 'Other Coin'],
] as const satisfies readonly Change[]) {
  test(`no voucher is signed for ${JSON.stringify(change)}`, async (t) => {
    const { call, payments } = await open(t);
    t.like(await call(challenging(change)), { ok: false, charged: 'no', code: 'WRONG_OFFER' });
    t.deepEqual(payments(), []);
  });
}

test('a call above maxPrice, and a voucher that is not signed or kept, are not sent', async (t) => {
  const dear = await open(t);
  t.like(await dear.call(challenging(['accepts.1.amount', '3001'])), { ok: false, code: 'PRICE_TOO_HIGH' });
  const declining = { ...wallet, signTypedData: () => Promise.reject(new Error('declined')) };
  const unsigned = await open(t, { signer: declining });
  t.like(await unsigned.call(challenging()), { ok: false, code: 'NOT_SIGNED', charged: 'no' });
  const full = () => Promise.reject(new Error('full'));
  const unkept = await open(t, { store: { ...createMemoryStore(), set: full } });
  t.like(await unkept.call(challenging()), { ok: false, code: 'STORE_FAILED', charged: 'no' });
  t.deepEqual([dear.payments(), unsigned.payments(), unkept.payments()], [[], [], []]);
});

test('a charge that the store does not keep is answered again, and not charged again', async (t) => {
  const memory = createMemoryStore();
  let set: Store['set'] = memory.set;
  const { call, payments } = await open(t, { store: { ...memory, set: (name, value) => set(name, value) } });
  set = async (name, value) => {
    set = () => Promise.reject(new Error('full'));
    await memory.set(name, value);
  };
  t.like(await call(challenging(), charged()), { ok: false, code: 'STORE_FAILED', charged: 'yes' });
  set = memory.set;
  t.like(await call(charged()), { ok: true });
  t.is(new Set(payments()).size, 1);
});

test('a damaged store stops calls of channels, and every payment', async (t) => {
  const { call, client, store, payments } = await open(t);
  await call(challenging(), charged());
  const [kept] = await store.list('tollhouse-channel-');
  for (const value of [
    '{',
    '{"charged":"-1"}',
    '{"charged":"0","open":{"url":"http://a/","body":"","header":"e30="}}',
  ]) {
    await store.set(String(kept?.name), value);
    t.like(await call(), { ok: false, code: 'STORE_FAILED', charged: 'no' });
    const exact = await client.call('html-to-markdown', INPUT, { pay: 'exact', maxPrice: PRICE });
    t.like(exact, { ok: false, code: 'STORE_FAILED', charged: 'no' });
  }
  t.is(payments().length, 1);
});

test('a refund that is not confirmed is no refund', async (t) => {
  const { answer, client } = await open(t);
  answer(challenging(), charged());
  t.like(await client.channels.close(), { ok: false, code: 'UNCONFIRMED', charged: 'no', retry: { how: 'again' } });
  answer(challenging(), correcting({ sum: high }));
  t.like(await client.channels.close(), { ok: false, code: 'WRONG_CORRECTION' });
  answer(challenging(), failing(503, 'SETTLEMENT_PENDING'));
  t.like(await client.channels.refund(1n), { ok: false, code: 'SETTLEMENT_PENDING', retry: { how: 'again' } });
  answer(challenging(), refusing('refund_no_balance'));
  t.like(await client.channels.close(), { ok: false, code: reasonOf('refund_no_balance'), retry: { how: 'change' } });
});

test('an amount that cannot be used is thrown', async (t) => {
  const { client } = await open(t);
  await t.throwsAsync(client.channels.refund(0n), { instanceOf: TypeError });
  const input = { html: '' };
  await t.throwsAsync(client.channels.open('html-to-markdown', input, { amount: 0n, maxPrice: PRICE }), {
    instanceOf: TypeError,
  });
});
