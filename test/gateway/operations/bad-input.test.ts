import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createAccess } from '../../../gateway/access/access.ts';
import { createOffersByOrigin } from '../../../gateway/access/offer/offers-by-origin.ts';
import { createPayment } from '../../../gateway/access/payment-schemes.ts';
import { createTrial } from '../../../gateway/access/trial/trial.ts';
import { AppError } from '../../../gateway/errors/app-error.ts';
import type { CallFreeze } from '../../../gateway/freeze/call-freeze.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { SHARED_SCHEMAS } from '../../../gateway/operations/operation/route-schema.ts';
import { registerOperations } from '../../../gateway/operations/routes.ts';
import { registerFaucet } from '../../../gateway/sandbox/faucet.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { createPaymentsClient } from '../../../services/payments/contract/client.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import {
  type Answer,
  codeOf,
  errorOf,
  headerOf,
  rawRequest,
  requirementsOf,
  signIn,
  toBase64,
} from '../../kit/client.ts';
import { newAccount, openChallenger } from '../access/challenge/fixture.ts';
import { SECRETS, TERMS } from '../access/offer/offer-fixture.ts';
import { serve } from '../http/served-app.ts';

const ORIGIN = new URL('https://api.example.com');
const JSON_TYPE = { 'content-type': 'application/json' };

/** Serves every operation, without services. Whatever asks one is answered with the code of that. */
async function serveOperations(t: ExecutionContext) {
  const asks = (code: 'TRIAL_UNAVAILABLE' | 'PAYMENT_UNAVAILABLE') => () => Promise.reject(new AppError(code, 'asked'));
  const freeze: CallFreeze = { state: () => 'open' };
  const admission = { run: <Value>(_client: string, work: () => Promise<Value>) => work() };
  const { challenger } = openChallenger({ now: Date.now });
  const trial = {
    reserve: asks('TRIAL_UNAVAILABLE'),
    post: asks('TRIAL_UNAVAILABLE'),
    void: asks('TRIAL_UNAVAILABLE'),
  };
  const access = createAccess({
    findOffer: createOffersByOrigin({ operations, publicUrls: [ORIGIN], terms: TERMS, secrets: SECRETS }),
    ledger: {
      ready: () => ({ ok: true }),
      budget: async () => ({ dayUtc: '', remainingMicroUsd: 1_000_000n }),
      checkLocks: async () => {},
    },
    challenger,
    trial: createTrial({
      ledger: trial,
      challenger,
      execute: asks('TRIAL_UNAVAILABLE'),
      admission,
      freeze,
      now: Date.now,
      logger: createLogger({ name: 'test', level: 'silent' }),
    }),
    payment: createPayment({ exact: { run: asks('PAYMENT_UNAVAILABLE') }, channel: undefined, freeze }),
    freeze,
    arePaymentsTaken: async () => true,
    now: Date.now,
    monotonicMs: () => performance.now(),
  });
  const payments = createPaymentsClient('unix:/nowhere/payments.sock');
  t.teardown(() => payments.close());
  const { port } = await serve(t, {}, ({ app, limiter }) => {
    for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
    registerOperations(app, { operations, access, limiter, boundsNetworks: false });
    registerFaucet(app, payments);
  });
  return `http://127.0.0.1:${port}`;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

const send = (url: string, body: unknown, headers: Headers = {}) =>
  rawRequest(url, {
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

/** A refusal has the envelope, says its request id, and is neither charged nor accounted for. */
function isRefused(t: ExecutionContext, answer: Answer, expected: readonly [number, string], what: string): void {
  t.deepEqual([answer.status, codeOf(answer)], expected, `${what}: ${answer.text}`);
  t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
  for (const name of ['x-access-mode', 'payment-response']) t.is(answer.headers.get(name), null, name);
}

const INVALID_REQUEST = [400, 'INVALID_REQUEST'] as const;
const INVALID_JSON = [400, 'INVALID_JSON'] as const;
const UNSUPPORTED = [415, 'UNSUPPORTED_MEDIA_TYPE'] as const;

const BODIES: readonly (readonly [string | Buffer, readonly [number, string]])[] = [
  ['null', INVALID_REQUEST],
  ['[]', INVALID_REQUEST],
  ['"text"', INVALID_REQUEST],
  ['1', INVALID_REQUEST],
  ['{"constructor":{}}', INVALID_REQUEST],
  ['{"a":', INVALID_JSON],
  ['{"a":1,"a":1}', INVALID_JSON],
  ['{"__proto__":{"a":1}}', INVALID_JSON],
  [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, INVALID_JSON],
  ['{"a":"\\ud800"}', INVALID_JSON],
  ['{"a":1e400}', INVALID_JSON],
  [JSON.stringify(Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`m${n}`, 1]))), INVALID_JSON],
  ['\ufeff{}', INVALID_JSON],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), INVALID_JSON],
];

const readProperty = createReader(
  Type.Object({
    type: Type.String(),
    minLength: Type.Optional(Type.Integer()),
    maxLength: Type.Optional(Type.Integer()),
    pattern: Type.Optional(Type.String()),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
  }),
  'a property of a request',
);

/** Values that a property must not have: of other types, and beyond each of its bounds. */
function wrongValues(property: unknown): readonly unknown[] {
  const { type, minLength, maxLength, pattern, minimum, maximum } = readProperty(property);
  return [
    ...[null, true, [], {}, type === 'string' ? 1 : '1'],
    ...(type === 'integer' ? [1.5] : []),
    ...(minLength === undefined ? [] : ['a'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : [' '.repeat(minLength ?? 1)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ];
}

for (const { name, path, request, requestExample } of operations) {
  test(`${name} refuses bodies that are no JSON objects, of other types, too large or compressed`, async (t) => {
    const url = (await serveOperations(t)) + path;
    for (const [body, refusal] of BODIES) isRefused(t, await send(url, body), refusal, body.toString().slice(0, 50));
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      isRefused(t, await send(url, requestExample, { 'content-type': type }), UNSUPPORTED, type);
    }
    const compressed = gzipSync(JSON.stringify(requestExample));
    isRefused(t, await send(url, compressed, { 'content-encoding': 'gzip' }), UNSUPPORTED, 'gzip');
    isRefused(t, await send(url, `"${'a'.repeat(8 * 1024 * 1024)}"`), [413, 'BODY_TOO_LARGE'], 'over 8 MiB');
  });

  test(`${name} refuses fields that are missing, unknown, of another type or out of bounds, with their names`, async (t) => {
    const url = (await serveOperations(t)) + path;
    const refuses = async (field: string, body: object) => {
      const answer = await send(url, body);
      isRefused(t, answer, INVALID_REQUEST, JSON.stringify(body).slice(0, 80));
      t.true(errorOf(answer).message.startsWith(field), `${field}: ${errorOf(answer).message}`);
    };
    t.is((await send(url, requestExample)).status, 402, 'the example is valid');
    for (const unknown of ['other', 'constructor']) await refuses(unknown, { ...requestExample, [unknown]: {} });
    for (const field of defined(request.required)) {
      const { [field]: _, ...rest }: Record<string, unknown> = { ...requestExample };
      // Without members, it would only ask for the price.
      await refuses(field, Object.keys(rest).length > 0 ? rest : { ...rest, other: 1 });
    }
    for (const [field, property] of Object.entries(request.properties)) {
      for (const value of wrongValues(property)) await refuses(field, { ...requestExample, [field]: value });
    }
  });

  test(`${name} is only served for POST, and tells its price for an empty body of any type`, async (t) => {
    const url = (await serveOperations(t)) + path;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await rawRequest(url, { method });
      isRefused(t, answer, [405, 'METHOD_NOT_ALLOWED'], method);
      t.is(headerOf(answer, 'allow'), 'POST, OPTIONS');
    }
    for (const [body, headers] of [
      ['', JSON_TYPE],
      ['', { 'content-type': 'text/plain' }],
      ['{}', JSON_TYPE],
    ] as const) {
      const answer = await send(url, body, headers);
      t.deepEqual([answer.status, answer.headers.get('x-trial-status')], [402, 'discovery_probe']);
    }
  });

  test(`${name} refuses malformed and invalid proofs and payments, and reads them after the body`, async (t) => {
    const url = (await serveOperations(t)) + path;
    const malformed = (what: string) => [400, `MALFORMED_${what}`] as const;
    const fields = await signIn(await send(url, requestExample), newAccount());
    const [proof, forged] = [toBase64(fields), toBase64({ ...fields, address: newAccount().address })];
    const other = { ...requestExample, other: 1 };
    for (const [body, headers, refusal] of [
      [requestExample, { 'sign-in-with-x': 'e30=' }, malformed('PROOF')],
      [requestExample, { 'sign-in-with-x': '' }, malformed('PROOF')],
      [requestExample, { 'sign-in-with-x': [proof, proof] }, malformed('PROOF')],
      [requestExample, { 'sign-in-with-x': forged }, [401, 'INVALID_PROOF']],
      [other, { 'sign-in-with-x': proof }, INVALID_REQUEST],
      [requestExample, { 'payment-signature': '' }, malformed('PAYMENT')],
      [requestExample, { 'payment-signature': '%%%' }, malformed('PAYMENT')],
      [requestExample, { 'payment-signature': ['e30=', 'e30='] }, malformed('PAYMENT')],
      [requestExample, { 'sign-in-with-x': proof, 'payment-signature': '!' }, malformed('PAYMENT')],
      [{}, { 'payment-signature': 'e30=' }, INVALID_REQUEST],
      [other, { 'payment-signature': 'e30=' }, INVALID_REQUEST],
    ] as const) {
      isRefused(t, await send(url, body, headers), refusal, JSON.stringify([body, headers]).slice(0, 120));
    }
    const version1 = await send(url, requestExample, { 'x-payment': toBase64({ x402Version: 1, payload: {} }) });
    t.deepEqual([version1.status, version1.text, requirementsOf(version1).x402Version], [402, '{}', 2]);
    // What is valid here is for the services to decide.
    t.is(codeOf(await send(url, requestExample, { 'sign-in-with-x': proof })), 'TRIAL_UNAVAILABLE');
    const payment = toBase64({ x402Version: 2 });
    t.is(codeOf(await send(url, requestExample, { 'payment-signature': payment })), 'PAYMENT_UNAVAILABLE');
  });
}

const { path, requestExample } = defined(operations[0]);

test('a proof is for one body, however it is written, and for one query', async (t) => {
  const url = (await serveOperations(t)) + path;
  const prove = async (to: string) => ({
    'sign-in-with-x': toBase64(await signIn(await send(to, requestExample), newAccount())),
  });
  const [headers, queried] = [await prove(url), await prove(`${url}?x=1`)];
  const text = JSON.stringify(Object.fromEntries(Object.entries(requestExample).toReversed()), null, 2);
  const escaped = text.replace(
    /[a-z](?=\w*",?$)/m,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  t.not(escaped, text);
  for (const [to, body, sent, expected] of [
    [url, escaped, headers, 'TRIAL_UNAVAILABLE'],
    [`${url}?x=1`, requestExample, queried, 'TRIAL_UNAVAILABLE'],
    [`${url}?x=1`, requestExample, headers, 'WRONG_RESOURCE'],
    [url, requestExample, queried, 'WRONG_RESOURCE'],
    [url, { query: 'Another place' }, headers, 'WRONG_RESOURCE'],
  ] as const) {
    t.is(codeOf(await send(to, body, sent)), expected);
  }
});

test('a spoofed Host or X-Forwarded-Host does not reach the challenge', async (t) => {
  const url = (await serveOperations(t)) + path;
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const answer = await send(url, requestExample, evil);
  t.is(answer.status, 402);
  t.false(Buffer.from(headerOf(answer, 'payment-required'), 'base64').toString().includes('evil'));
  t.false(answer.text.includes('evil'));
  t.is(requirementsOf(answer).extensions['sign-in-with-x']?.info.domain, ORIGIN.host);
});

test('the faucet refuses addresses that are missing or malformed, and unknown fields', async (t) => {
  const url = `${await serveOperations(t)}/sandbox/faucet`;
  const address = `0x${'1'.repeat(40)}`;
  for (const body of [{}, { address: '0x12' }, { address, amount: 5 }]) {
    isRefused(t, await send(url, body), INVALID_REQUEST, JSON.stringify(body));
  }
  t.is(codeOf(await send(url, { address })), 'UPSTREAM_FAILURE');
});
