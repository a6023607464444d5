import test, { type ExecutionContext } from 'ava';
import { createClient } from '../../../gateway/client/client.ts';
import { createTrialClient } from '../../../gateway/client/trial.ts';
import { createWallet } from '../../kit/chain.ts';
import { answering, hangingBody, resetting, silent, startUpstream } from '../../kit/upstream-server.ts';
import { type Asked, type Change, challenging, denying, failing, INPUT, PRICE, RESULT } from './seller.ts';

const CHARGED = {
  'x-access-mode': 'trial',
  'x-trial-status': 'charged',
  'x-trial-accounting-status': 'confirmed',
  'x-trial-balance-atomic': '47000',
};

/** Calls a server with free credit, and pays if the client would. */
async function callAuto(t: ExecutionContext, answers: readonly Asked[], timeoutMs = 10_000) {
  const server = await startUpstream(t);
  server.behave(...answers.map((answer) => answer(server.baseUrl)), silent);
  const client = createClient({ origin: server.baseUrl.origin, signer: createWallet(), timeoutMs });
  const outcome = await client.call('html-to-markdown', INPUT, { pay: 'auto', maxPrice: PRICE });
  return { outcome, seen: server.seen, isPaid: server.seen.some(({ headers }) => 'payment-signature' in headers) };
}

type Row = readonly [title: string, answer: Asked, charged: 'no' | 'unknown', code: string, how: string];

const REJECTED = { 'x-trial-status': 'rejected' };
const result =
  (headers: Readonly<Record<string, string>>): Asked =>
  () =>
    answering(RESULT, 200, headers);

const signedRows: readonly Row[] = [
  ['402 unavailable', denying('unavailable'), 'no', 'unavailable', 'again'],
  [
    '402 whose header says otherwise',
    denying('insufficient_balance', 'unavailable'),
    'no',
    'insufficient_balance',
    'again',
  ],
  ['402 without a state', failing(402, 'PAY'), 'unknown', 'PAY', 'never'],
  ['402 with another challenge', challenging(), 'unknown', 'challenge', 'never'],
  ['400', failing(400, 'MALFORMED_PROOF', REJECTED), 'no', 'MALFORMED_PROOF', 'change'],
  ['401', failing(401, 'EXPIRED_PROOF', REJECTED), 'no', 'EXPIRED_PROOF', 'again'],
  ['401 for a used proof', failing(401, 'REPLAYED_PROOF', REJECTED), 'unknown', 'REPLAYED_PROOF', 'never'],
  ['429', failing(429, 'RATE_LIMITED'), 'unknown', 'RATE_LIMITED', 'never'],
  ['500', failing(500, 'INTERNAL'), 'unknown', 'INTERNAL', 'never'],
  [
    '502 after a release',
    failing(502, 'UPSTREAM_FAILURE', { 'x-trial-status': 'released' }),
    'no',
    'UPSTREAM_FAILURE',
    'again',
  ],
  [
    '503',
    failing(503, 'TRIAL_UNAVAILABLE', { 'x-trial-status': 'unavailable' }),
    'unknown',
    'TRIAL_UNAVAILABLE',
    'never',
  ],
  [
    '503 before admission',
    failing(503, 'OVERLOADED', { 'x-trial-status': 'unavailable' }),
    'no',
    'OVERLOADED',
    'again',
  ],
  [
    '504',
    failing(504, 'UPSTREAM_TIMEOUT', { 'x-trial-status': 'accounting_uncertain' }),
    'unknown',
    'UPSTREAM_TIMEOUT',
    'never',
  ],
  ['a redirect', () => answering('', 307, { location: '/' }), 'unknown', 'NO_ANSWER', 'never'],
  ['a reset', () => resetting, 'unknown', 'NO_ANSWER', 'never'],
  [
    'an uncertain result',
    result({ ...CHARGED, 'x-trial-accounting-status': 'uncertain' }),
    'unknown',
    'UNCONFIRMED',
    'never',
  ],
  ['a result without accounting', result({}), 'unknown', 'UNCONFIRMED', 'never'],
  ['a result of another mode', result({ ...CHARGED, 'x-access-mode': 'paid' }), 'unknown', 'UNCONFIRMED', 'never'],
  ['a result that was settled', result({ ...CHARGED, 'payment-response': 'e30=' }), 'unknown', 'UNCONFIRMED', 'never'],
  ['a malformed balance', result({ ...CHARGED, 'x-trial-balance-atomic': '-1' }), 'unknown', 'UNCONFIRMED', 'never'],
];
for (const [title, answer, charged, code, how] of signedRows) {
  test(`auto does not pay after a proof was answered with ${title}`, async (t) => {
    const { outcome, seen, isPaid } = await callAuto(t, [challenging(), answer]);
    t.like(outcome, { ok: false, charged, code, retry: { how } });
    t.deepEqual([seen.length, isPaid], [2, false]);
  });
}

const unsignedRows: readonly Row[] = [
  ['402 unavailable', denying('unavailable'), 'no', 'unavailable', 'again'],
  ['400', failing(400, 'INVALID_REQUEST'), 'no', 'INVALID_REQUEST', 'change'],
  ['401', failing(401, 'UNAUTHENTICATED'), 'no', 'UNAUTHENTICATED', 'again'],
  ['429', failing(429, 'RATE_LIMITED', { 'retry-after': '60' }), 'no', 'RATE_LIMITED', 'again'],
  ['500', failing(500, 'INTERNAL'), 'no', 'INTERNAL', 'again'],
  ['503', failing(503, 'OVERLOADED'), 'no', 'OVERLOADED', 'again'],
  ['a reset', () => resetting, 'no', 'NO_ANSWER', 'again'],
  ['a free result', result({}), 'no', 'UNEXPECTED_ANSWER', 'again'],
];
for (const [title, answer, charged, code, how] of unsignedRows) {
  test(`auto neither signs nor pays after ${title}`, async (t) => {
    const { outcome, seen } = await callAuto(t, [answer]);
    t.like(outcome, { ok: false, charged, code, retry: { how } });
    t.is(seen.length, 1);
  });
}

for (const [title, answer] of [
  ['silence', silent],
  ['half an answer', hangingBody],
] as const) {
  test(`a time-out ends the call without a payment: ${title}`, async (t) => {
    const { outcome, isPaid } = await callAuto(t, [challenging(), () => answer], 1000);
    t.like(outcome, { ok: false, code: 'NO_ANSWER' });
    t.false(isPaid);
  });
}

test('the wait that the server asks for is told', async (t) => {
  const { outcome } = await callAuto(t, [failing(429, 'RATE_LIMITED', { 'retry-after': '60' })]);
  t.like(outcome, { status: 429, requestId: 'r', retry: { how: 'again', afterMs: 60_000 } });
});

for (const status of ['insufficient_balance', 'daily_budget_exhausted'] as const) {
  test(`auto pays after ${status}, with the offer of that answer`, async (t) => {
    const { seen, isPaid } = await callAuto(t, [challenging(), denying(status), failing(500, 'INTERNAL')]);
    t.deepEqual([seen.length, isPaid], [3, true]);
    t.false(seen.some(({ headers }) => 'payment-signature' in headers && 'sign-in-with-x' in headers));
  });
}

const INFO = 'extensions.sign-in-with-x.info';
const TRIAL = 'extensions.seller-trial.info';
const instant = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();

const changedRows: readonly (readonly [code: string, ...changes: readonly Change[]])[] = [
  ['challenge', [`${TRIAL}.status`, 'maybe']],
  ['WRONG_OFFER', [`${TRIAL}.quotedAmountAtomic`, '03000']],
  ['WRONG_OFFER', [`${TRIAL}.quotedAmountAtomic`, '2999']],
  ['WRONG_OFFER', ['accepts', null]],
  ['PRICE_TOO_HIGH', [`${TRIAL}.coveredByInitialGrant`, false]],
  ['PRICE_TOO_HIGH', [`${TRIAL}.quotedAmountAtomic`, '3001'], ['accepts.0.amount', '3001']],
  ['WRONG_CHALLENGE', ['extensions.sign-in-with-x', null]],
  ['WRONG_CHALLENGE', [`${INFO}.domain`, 'example.com']],
  ['WRONG_CHALLENGE', [`${INFO}.uri`, 'https://example.com/']],
  ['WRONG_CHALLENGE', [`${INFO}.version`, '2']],
  ['WRONG_CHALLENGE', [`${INFO}.nonce`, 'a\nb']],
  ['WRONG_CHALLENGE', [`${INFO}.statement`, 'one\ntwo']],
  ['WRONG_CHALLENGE', [`${INFO}.requestId`, `0123456789abcdef.${'0'.repeat(64)}`]],
  ['WRONG_CHALLENGE', [`${INFO}.resources.1`, 'urn:other']],
  ['WRONG_CHALLENGE', [`${INFO}.resources`, ['a', 'b', 'c']]],
  ['WRONG_CHALLENGE', [`${INFO}.issuedAt`, 'now']],
  ['WRONG_CHALLENGE', [`${INFO}.issuedAt`, instant(120_000)]],
  ['WRONG_CHALLENGE', [`${INFO}.expirationTime`, instant(-1000)]],
  ['WRONG_CHALLENGE', [`${INFO}.expirationTime`, instant(3_600_000)]],
  ['WRONG_CHALLENGE', ['extensions.sign-in-with-x.supportedChains', [{ type: 'eip1271', chainId: 'eip155:1' }]]],
];
for (const [code, ...changes] of changedRows) {
  test(`nothing is signed for ${JSON.stringify(changes)}`, async (t) => {
    const { outcome, seen } = await callAuto(t, [challenging(...changes)]);
    t.like(outcome, { ok: false, charged: 'no', code: code === 'challenge' ? 'maybe' : code });
    t.is(seen.length, 1);
  });
}

test('the trial client returns the confirmed result', async (t) => {
  const server = await startUpstream(t);
  server.behave(challenging()(server.baseUrl), answering(RESULT, 200, CHARGED));
  const client = createTrialClient({ origin: server.baseUrl.origin, signer: createWallet() });
  const outcome = await client.call('html-to-markdown', INPUT);
  t.deepEqual(outcome, { ok: true, paidBy: 'trial', result: RESULT, priceMicroUsd: PRICE, balanceMicroUsd: 47_000n });
});

test('a wallet that does not sign ends the call', async (t) => {
  const server = await startUpstream(t, silent);
  server.behave(challenging()(server.baseUrl));
  const signer = { ...createWallet(), signMessage: () => Promise.reject(new Error('declined')) };
  const outcome = await createTrialClient({ origin: server.baseUrl.origin, signer }).call('html-to-markdown', INPUT);
  t.like(outcome, { ok: false, code: 'NOT_SIGNED', charged: 'no' });
  t.is(server.seen.length, 1);
});
