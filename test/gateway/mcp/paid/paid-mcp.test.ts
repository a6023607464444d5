import test from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { createOffersByOrigin } from '../../../../gateway/access/offer/offers-by-origin.ts';
import type { PaymentOutcome } from '../../../../gateway/access/payment/payment-outcome.ts';
import { createToolAccess } from '../../../../gateway/access/tool-access.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import type { CallState } from '../../../../gateway/freeze/call-freeze.ts';
import { UNLIMITED } from '../../../../gateway/http/rate-limit.ts';
import { createPaidMcp } from '../../../../gateway/mcp/paid/paid-mcp.ts';
import { operations } from '../../../../gateway/operations/index.ts';
import { createJsonReader, createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import type { ErrorCode } from '../../../../services/platform/errors/error-codes.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { CHANNELS, TERMS as OFFER_TERMS, SECRETS } from '../../access/offer/offer-fixture.ts';
import { startToolApp } from '../tool-app.ts';

const TERMS = { ...OFFER_TERMS, channels: CHANNELS };
const FAILED = { success: false, errorReason: 'authorization_used', transaction: '', network: TERMS.network };

/** Decides the outcome of the next payment, because some outcomes are hard to produce on a chain. */
let settle: () => PaymentOutcome;
let unpaid = 0;
let givenBack = 0;
let calls: CallState = 'open';
const paid: string[] = [];
const networks: (string | undefined)[] = [];
const endpoint = createPaidMcp({
  boundsNetworks: true,
  operations,
  access: createToolAccess({
    findOffer: createOffersByOrigin({
      operations,
      publicUrls: [new URL('http://127.0.0.1:1')],
      terms: TERMS,
      secrets: SECRETS,
    }),
    payment: {
      run: async ({ clientNetwork }) => {
        networks.push(clientNetwork);
        return settle();
      },
    },
    freeze: { state: () => calls },
  }),
  countPaid: (path, status) => paid.push(`${status} ${path}`),
  limiter: {
    ...UNLIMITED,
    count: async () => {
      unpaid += 1;
    },
    giveBack: () => {
      givenBack += 1;
    },
  },
});
const { tools } = endpoint;

const app = await startToolApp(endpoint);
test.after.always(() => app.close());

const Result = Type.Object({
  isError: Type.Optional(Type.Boolean()),
  content: Type.Tuple([Type.Object({ text: Type.String() })]),
  structuredContent: Type.Record(Type.String(), Type.Unknown()),
  _meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  resultType: Type.Optional(Type.String()),
  paymentRequired: Type.Optional(Type.Object({})),
});
type Result = Type.Static<typeof Result>;
const readResult = createReader(Result, 'the result of a tool');
const parseMessage = createJsonReader(
  Type.Object({ result: Type.Optional(Type.Unknown()) }),
  'the answer of the endpoint',
);
const readRefusal = createReader(
  Type.Object({ error: Type.Object({ remedy: Type.String() }) }),
  'the structured content of a refusal',
);

interface Sent {
  readonly id?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(method: string, params: object = {}, { id = { id: 1 }, headers = {} }: Sent = {}) {
  const response = await fetch(app.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...id, method, params }),
  });
  const text = await response.text();
  return { status: response.status, result: text === '' ? undefined : parseMessage(text).result };
}

async function call(payment: object | null | undefined, name = 'geocode', args: object = { query: 'Łódź' }) {
  const meta = payment === undefined ? {} : { _meta: { 'x402/payment': payment } };
  return readResult((await send('tools/call', { name, arguments: args, ...meta })).result);
}

const schemaOf = (name: string) => defined(tools.find((tool) => tool.name === name)?.outputSchema);
const matchesSchema = (name: string, { structuredContent }: Result) => Compile(schemaOf(name)).Check(structuredContent);

test.serial(
  'while calls are frozen, nobody is asked to pay for a call, and prices can still be asked for',
  async (t) => {
    calls = 'frozen';
    t.teardown(() => {
      calls = 'open';
    });
    const refused = await call(undefined);
    t.true(refused.isError);
    t.like(refused.structuredContent, { error: { code: 'CALLS_FROZEN' } });
    t.true(matchesSchema('geocode', refused));
    t.false('accepts' in refused.structuredContent);
    t.true('accepts' in (await call(undefined, 'geocode', {})).structuredContent);
  },
);

test('tools name their prices, and list examples that match their schemas', (t) => {
  t.is(tools.length, operations.length);
  for (const [index, { requestExample, responseExample, priceMicroUsd }] of operations.entries()) {
    const { name, description, inputSchema, outputSchema } = defined(tools[index]);
    t.true(description.includes(`USD ${Number(priceMicroUsd) / 1_000_000}`), name);
    t.deepEqual(Compile(inputSchema).Errors(requestExample), [true, []], name);
    t.deepEqual(Compile(defined(outputSchema)).Errors(responseExample), [true, []], name);
    t.deepEqual(inputSchema['examples'], [requestExample], name);
    const listed = defined(outputSchema)['examples'];
    if (listed !== undefined) t.deepEqual(listed, [responseExample], name);
    t.false('anyOf' in inputSchema, name);
  }
});

test.serial('a failed settlement is an error with its payment response and without the result', async (t) => {
  settle = () => ({ kind: 'failed', paymentResponseJson: JSON.stringify(FAILED) });
  const answer = await call({ x402Version: 2 });
  t.true(answer.isError);
  t.like(answer.structuredContent, { x402Version: 2, accepts: [{ amount: '14000' }], 'x402/payment-response': FAILED });
  t.deepEqual(answer._meta?.['x402/payment-response'], FAILED);
  t.deepEqual(networks, ['127.0.0.0/24'], 'whose deposits are limited');
  t.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
  t.true(matchesSchema('geocode', answer));
});

test.serial('a tool call whose payment is null counts as one without a payment', async (t) => {
  settle = () => t.fail('nothing was paid');
  t.like((await call(null)).structuredContent, { error: 'payment required', accepts: [{ amount: '14000' }] });
});

test.serial('answers a refused or malformed payment with the reason', async (t) => {
  settle = () => ({ kind: 'refused', reason: 'insufficient_funds' });
  t.like((await call({ x402Version: 2 })).structuredContent, { error: 'insufficient_funds' });
  settle = () => {
    throw new AppError('MALFORMED_PAYMENT', 'invalid_payload');
  };
  const answer = await call({ x402Version: 2 });
  t.like(answer.structuredContent, { error: 'invalid_payload', accepts: [{ amount: '14000' }] });
  t.is(answer._meta?.['x402/payment-response'], undefined);
  t.true(matchesSchema('geocode', answer));
});

test.serial('answers a voucher for another sum with the state of the channel', async (t) => {
  const channelState = { channelId: `0x${'1'.repeat(64)}`, chargedCumulativeAmount: '28000' };
  const voucherState = { signedMaxClaimable: '28000', signature: `0x${'2'.repeat(130)}` };
  const reason = 'invalid_batch_settlement_evm_cumulative_amount_mismatch';
  settle = () => ({ kind: 'refused', reason, correction: { channelState, voucherState } });
  const answer = await call({ x402Version: 2 });
  t.like(answer.structuredContent, {
    error: reason,
    accepts: [{ scheme: 'exact' }, { scheme: 'batch-settlement', extra: { channelState, voucherState } }],
  });
  t.is(answer._meta?.['x402/payment-response'], undefined);
  t.true(matchesSchema('geocode', answer));
});

test.serial('reports a deposit whose call was refused', async (t) => {
  const paymentResponseJson = JSON.stringify({ success: true, transaction: '0x1', amount: '140000' });
  settle = () => ({ kind: 'refused', reason: 'invalid_batch_settlement_evm_channel_busy', paymentResponseJson });
  const answer = await call({ x402Version: 2 });
  t.true(answer.isError);
  t.like(answer._meta?.['x402/payment-response'], { success: true, amount: '140000' });
});

interface Modern {
  readonly capabilities?: object;
  readonly revision?: string;
}

const readModern = createReader(
  Type.Pick(Result, ['isError', 'resultType', '_meta', 'paymentRequired']),
  'the result of a tool',
);

/** A paid call without a handshake. It states the capabilities of the client. */
async function callModern({ capabilities = {}, revision = '2026-07-28' }: Modern) {
  const isModern = revision === '2026-07-28';
  const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'geocode' };
  const _meta = {
    ...(isModern && { 'io.modelcontextprotocol/protocolVersion': revision }),
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'x402/payment': { x402Version: 2 },
  };
  const params = { name: 'geocode', arguments: { query: 'Łódź' }, _meta };
  return (await send('tools/call', params, { headers })).result;
}

test.serial('answers with the payment extension only to a client that supports it', async (t) => {
  const capabilities = { extensions: { 'org.x402/payment': {} } };
  settle = () => ({ kind: 'failed', paymentResponseJson: JSON.stringify(FAILED) });
  const answer = readModern(await callModern({ capabilities }));
  t.is(answer.resultType, 'payment_required');
  t.like(answer.paymentRequired, { x402Version: 2, accepts: [{ amount: '14000' }] });
  t.like(answer._meta, { 'x402/payment-response': FAILED });
  t.is(answer.isError, undefined);
  t.like(await callModern({}), { resultType: 'complete', isError: true });
  const older = readModern(await callModern({ capabilities, revision: '2025-11-25' }));
  t.true(older.isError);
  t.is(older.resultType, undefined);
  settle = () => ({ kind: 'settled', body: Buffer.from('{}'), paymentResponseJson: '{"success":true}' });
  t.is(readModern(await callModern({ capabilities })).resultType, 'complete');
});

test.serial('a call that is paid now gives one unpaid call back, and no other does', async (t) => {
  const settled = { kind: 'settled', body: Buffer.from('{}'), paymentResponseJson: '{"success":true}' } as const;
  for (const [outcome, expected] of [
    [settled, 1],
    [{ ...settled, isRepeated: true }, 0],
    [{ kind: 'failed', paymentResponseJson: JSON.stringify(FAILED) }, 0],
    [{ kind: 'refused', reason: 'no' }, 0],
  ] as const) {
    const before = givenBack;
    settle = () => outcome;
    await callModern({});
    t.is(givenBack - before, expected);
  }
});

test.serial('every other refusal has a remedy and matches the schema', async (t) => {
  const codes: readonly ErrorCode[] = [
    'PAYMENT_REUSED',
    'SETTLEMENT_PENDING',
    'PAYMENT_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
    'OVERLOADED',
    'UPSTREAM_FAILURE',
    'UPSTREAM_TIMEOUT',
    'RATE_LIMITED',
    'DOCUMENT_TOO_COMPLEX',
    'DOCUMENT_TOO_LARGE',
    'DOCUMENT_TOO_SLOW',
    'INVALID_REQUEST',
    'INTERNAL',
  ];
  for (const code of codes) {
    settle = () => {
      throw new AppError(code, 'no');
    };
    const answer = await call({ x402Version: 2 }, 'html_to_markdown', { html: '<p>' });
    t.like(answer.structuredContent['error'], { code, message: 'no' });
    const { remedy } = readRefusal(answer.structuredContent).error;
    t.truthy(remedy, code);
    t.false(remedy.includes('idempotency_key'), code);
    t.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
    t.true(matchesSchema('html_to_markdown', answer));
  }
});

test.serial('a failure tells of the deposit before it, also to a sender over the limit', async (t) => {
  t.teardown(() => app.limit(false));
  const deposit = { success: true, transaction: '0x1', amount: '30000' };
  for (const code of ['PAYMENT_REUSED', 'OVERLOADED'] as const) {
    const counted = app.counted();
    const refusal = new AppError(code, 'no');
    settle = () => {
      throw refusal.with({ 'payment-response': Buffer.from(JSON.stringify(deposit)).toString('base64') });
    };
    app.limit(true);
    const answer = await call({ x402Version: 2 });
    t.like(answer._meta, { error: { code }, 'x402/payment-response': deposit });
    t.is(app.counted(), counted + 1);
    settle = () => {
      throw refusal;
    };
    const params = { name: 'geocode', arguments: {}, _meta: { 'x402/payment': {} } };
    t.is((await send('tools/call', params)).status, 429);
  }
});

test.serial(
  'the refusal of a payment that may be settled does not tell the client to pay again for the same call',
  async (t) => {
    settle = () => {
      throw new AppError('PAYMENT_REUSED', 'no');
    };
    const reused = await call({ x402Version: 2 });
    const { remedy } = readRefusal(reused.structuredContent).error;
    t.regex(remedy, /with the same payment/);
    t.regex(remedy, /Sign a new payment only for a different call/);
    settle = () => ({ kind: 'failed', paymentResponseJson: JSON.stringify(FAILED) });
    const { error } = (await call({ x402Version: 2 })).structuredContent;
    t.regex(String(error), /sign a new one only if it is refused again/);
  },
);

test.serial('counts unpaid calls against their sender, and payments by their outcome', async (t) => {
  const [before, counted] = [unpaid, paid.length];
  await call(undefined);
  await send('tools/list');
  await send('initialize');
  // A message without an id is a notification, which calls no tool but counts.
  t.is((await send('tools/call', { name: 'geocode', arguments: {} }, { id: {} })).status, 202);
  t.is(unpaid, before + 4);
  t.is(paid.length, counted);
  const body = Buffer.from(JSON.stringify(operations[0]?.responseExample));
  settle = () => ({ kind: 'settled', body, paymentResponseJson: '{"success":true}' });
  const answer = await call({ x402Version: 2 });
  t.deepEqual(answer._meta?.['x402/payment-response'], { success: true });
  t.true(matchesSchema('geocode', answer));
  t.is(unpaid, before + 4);
  settle = () => ({ kind: 'refused', reason: 'no' });
  await call({ x402Version: 2 });
  t.is(unpaid, before + 5);
  settle = () => {
    throw new AppError('PAYMENT_REUSED', 'no');
  };
  await call({ x402Version: 2 });
  t.deepEqual(
    paid.slice(counted),
    ['200', '402', '409'].map((status) => `${status} /api/v1/maps/geocode`),
  );
});
