import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test, { type ExecutionContext } from 'ava';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { FacilitatorError, type SettlementReport } from '../../../services/payments/facilitator/facilitator.ts';
import { createRemoteFacilitator } from '../../../services/payments/facilitator/remote.ts';
import { createPaymentReader, toPayload } from '../../../services/payments/payment/payment.ts';
import { createTerms, offerOf as offerFor } from '../../../services/payments/payment/terms.ts';
import { connectChain, createNonce, createWallet, signPayment } from '../../kit/chain.ts';
import { portOf } from '../../kit/port-of.ts';
import { HANG_MS } from '../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, present, startPayments } from './harness.ts';
import { type Behaviour, saying, startFacilitator } from './test-facilitator.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

const NETWORK = 'eip155:31337';
const terms = createTerms({ network: NETWORK, payTo: createWallet().address, sandbox: false });
const signed = await signPayment(createWallet(), offerFor(terms, AMOUNT));
const read = createPaymentReader(terms)(JSON.stringify(signed), AMOUNT);
if (!read.ok) throw new Error(read.reason);
const { payment } = read;
const { payer } = payment;

/** Starts a facilitator for one test. */
async function serve(t: ExecutionContext, behaviour: Behaviour) {
  const facilitator = await startFacilitator(behaviour);
  t.teardown(facilitator.stop);
  return facilitator;
}

const connect = (url: string, timeoutMs = HANG_MS) =>
  createRemoteFacilitator({ url, credentials: async () => ({}), network: NETWORK, timeoutMs, now: Date.now });

async function open(t: ExecutionContext, behaviour: Behaviour, timeoutMs = HANG_MS) {
  const { url, asked } = await serve(t, behaviour);
  const { verify, settle } = connect(`${url}/`, timeoutMs);
  return {
    asked,
    verify: () => verify(payment),
    settle: () => settle(payment, async () => t.fail('it signs nothing')),
  };
}

const transaction = createNonce();
const DONE = { success: true, transaction };
const SETTLED: SettlementReport = { kind: 'settled', transaction };
const UNKNOWN: SettlementReport = { kind: 'unknown' };
const refused = (reason: string): SettlementReport => ({ kind: 'refused', reason });
const BARE = refused('settlement_failed');
const NULLS = { transaction: null, network: null, payer: null, errorReason: null };
const EMPTY = { transaction: '', network: '', payer: '', errorReason: '' };
const WHY = { ...NULLS, errorReason: 'insufficient_funds', payer: '' };
const failing = (more: object = {}, status = 200) => saying({ success: false, ...more }, status);

/** Writes a whole answer twice. */
const twice: Behaviour = ({ socket }) => {
  const body = JSON.stringify(DONE);
  const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  socket?.end(whole + whole);
};

const settlements: readonly (readonly [string, Behaviour, SettlementReport])[] = [
  ['an honest answer', saying({ ...DONE, network: NETWORK, payer }), SETTLED],
  ['an answer without network and payer', saying(DONE), SETTLED],
  ['null as network and payer', saying({ ...DONE, network: null, payer: null }), SETTLED],
  ['empty network and payer', saying({ ...DONE, network: '', payer: '' }), SETTLED],
  ['a second answer to one request', twice, SETTLED],
  ...[200, 400].flatMap((status): typeof settlements => [
    [`a bare refusal (${status})`, failing({}, status), BARE],
    [`a refusal of nulls (${status})`, failing(NULLS, status), BARE],
    [`a refusal of empty texts (${status})`, failing(EMPTY, status), BARE],
    [`a refusal with a reason (${status})`, failing(WHY, status), refused('insufficient_funds')],
  ]),
  ['a refusal with a transaction', failing({ transaction }), { ...UNKNOWN, transaction }],
  ['a refusal that is pending', failing({ transaction: null, errorReason: 'settlement_pending' }), UNKNOWN],
  ['no JSON', saying('banana'), UNKNOWN],
  ['a list', saying([]), UNKNOWN],
  ['a text as success', saying({ success: 'yes' }), UNKNOWN],
  ['no transaction', saying({ success: true }), UNKNOWN],
  ['null as transaction', saying({ success: true, transaction: null, network: null, payer: '' }), UNKNOWN],
  ['an empty transaction', saying({ success: true, transaction: '', network: NETWORK }), UNKNOWN],
  ['a transaction of zeros', saying({ success: true, transaction: `0x${'0'.repeat(64)}`, network: NETWORK }), UNKNOWN],
  ['another network', saying({ ...DONE, network: 'eip155:1' }), { ...UNKNOWN, transaction }],
  ['another payer', saying({ ...DONE, network: NETWORK, payer: createWallet().address }), { ...UNKNOWN, transaction }],
  ['an error of a proxy', saying('<html>', 502), UNKNOWN],
  ['a refusal with the status of an error', failing({ transaction: '', network: NETWORK }, 500), UNKNOWN],
  ['a request that is rejected', saying('quota exceeded', 429), { kind: 'unsent' }],
  ['a time-out', saying('time-out', 408), UNKNOWN],
  ['no answer', ({ socket }) => socket?.destroy(), UNKNOWN],
];
for (const [name, behaviour, report] of settlements) {
  test(`${name} is a settlement that is ${report.kind}`, async (t) => {
    t.deepEqual(await (await open(t, behaviour)).settle(), report);
  });
}

const verifications: readonly (readonly [string, Behaviour, string | undefined | 'fails'])[] = [
  ['a valid payment', saying({ isValid: true, payer }), undefined],
  ['no payer', saying({ isValid: true }), undefined],
  ['null as payer', saying({ isValid: true, network: null, payer: null }), undefined],
  ['an empty payer', saying({ isValid: true, network: '', payer: '' }), undefined],
  ['a reason', saying({ isValid: false, invalidReason: 'insufficient_funds' }), 'insufficient_funds'],
  ['a reason that is no code', saying({ isValid: false, invalidReason: '<b>at 10.0.0.7</b>' }), 'verification_failed'],
  ['null as reason', saying({ isValid: false, invalidReason: null, payer: '' }), 'verification_failed'],
  ['the status of a refusal', saying({ isValid: false, invalidReason: 'expired' }, 400), 'expired'],
  ['another payer', saying({ isValid: true, payer: createWallet().address }), 'fails'],
  ['no JSON', saying('banana'), 'fails'],
  ['the status of a fault', saying('no', 503), 'fails'],
];
for (const [name, behaviour, reason] of verifications) {
  test(`a verification with ${name}: ${reason ?? 'ok'}`, async (t) => {
    const { verify } = await open(t, behaviour);
    if (reason === 'fails') await t.throwsAsync(verify(), { instanceOf: FacilitatorError });
    else t.deepEqual(await verify(), reason === undefined ? { ok: true } : { ok: false, reason });
  });
}

/** Answers with 64 MB of white space before the body. It fails when the client hangs up. */
const padded: Behaviour = (response) => {
  const pad = Array.from({ length: 1000 }, () => Buffer.alloc(64_000, ' '));
  const body = Buffer.from(JSON.stringify({ ...DONE, isValid: true }));
  return pipeline(Readable.from([...pad, body]), response.writeHead(200)).catch(() => {});
};

for (const [name, behaviour, timeoutMs] of [
  ['whose answer is too large', padded, HANG_MS],
  ['that stalls', () => {}, 100],
] as const) {
  test(`a facilitator ${name} verifies nothing, and a settlement has an unknown outcome`, async (t) => {
    const { verify, settle } = await open(t, behaviour, timeoutMs);
    await t.throwsAsync(verify(), { instanceOf: FacilitatorError });
    t.deepEqual(await settle(), UNKNOWN);
  });
}

test('a redirect is not followed', async (t) => {
  const other = await serve(t, saying({ ...DONE, isValid: true }));
  const { verify, settle } = await open(t, (response) => response.writeHead(307, { location: other.url }).end());
  await t.throwsAsync(verify(), { instanceOf: FacilitatorError });
  t.deepEqual(await settle(), UNKNOWN);
  t.deepEqual(other.asked, []);
});

test('an unreachable facilitator verifies nothing, and a settlement was not sent', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  await new Promise((resolve) => server.close(resolve));
  const { verify, settle } = connect(url);
  await t.throwsAsync(verify(payment), { instanceOf: FacilitatorError });
  t.deepEqual(await settle(payment, async () => {}), { kind: 'unsent' });
});

test('a facilitator is asked with the payment and its offer', async (t) => {
  const { verify, settle, asked } = await open(t, saying({ ...DONE, isValid: true }));
  await verify();
  await settle();
  const body = { x402Version: 2, paymentPayload: toPayload(payment), paymentRequirements: payment.offer };
  t.deepEqual(asked as unknown, [
    { path: '/verify', body },
    { path: '/settle', body },
  ]);
});

test('payments are settled by a facilitator, with a chain and without', async (t) => {
  const sandbox = await startSandbox();
  t.teardown(sandbox.stop);
  await placeContracts(sandbox.rpcUrl);
  const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
  const { url } = await serve(t, async (response, { path, body: { paymentPayload } }) => {
    const isVerified = path === '/verify';
    const answer = isVerified ? { isValid: true } : { success: true, transaction: await chain.submit(paymentPayload) };
    response.end(JSON.stringify(answer));
  });
  for (const others of [{ X402_RPC_URL: sandbox.rpcUrl }, {}]) {
    const of = { DATABASE_URL: sandbox.databaseUrl, X402_FACILITATOR_URL: url, X402_PAY_TO: createWallet().address };
    const service = await startPayments({ env: { ...of, X402_NETWORK: NETWORK, ...others } });
    const wallet = createWallet();
    await chain.mint(wallet.address, BigInt(AMOUNT));
    const made = await signPayment(wallet, offerOf(await service.terms()));
    const { claimId } = expectCase(await service.begin(present(made)), 'execute');
    const { outcome } = await service.settle(claimId);
    t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
    expectCase(await service.begin(present(made)), 'replay');
    t.is(await chain.balanceOf(wallet.address), 0n);
    await t.throwsAsync(service.fund(wallet.address), { code: 'SANDBOX_ONLY' });
    const chainId = { method: 'eth_chainId', paramsJson: '[]' };
    const reading = service.call((client) => client.readChain, chainId, { timeoutMs: HANG_MS });
    await t.throwsAsync(reading, { code: 'SANDBOX_ONLY' });
    await service.stop();
  }
});
