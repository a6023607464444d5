import type { ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { digestBody } from '../../../gateway/access/call/body-digest.ts';
import { createChallenger } from '../../../gateway/access/challenge/challenge.ts';
import { createOffer } from '../../../gateway/access/offer/offer.ts';
import { htmlToMarkdown } from '../../../gateway/operations/html-to-markdown/operation.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet } from '../../kit/chain.ts';
import { fromBase64, toBase64 } from '../../kit/client.ts';
import { setAt } from '../../kit/set-at.ts';
import { answering, type Behaviour, closedUrl, resetting, silent, startUpstream } from '../../kit/upstream-server.ts';
import { SECRETS, TERMS } from '../access/offer/offer-fixture.ts';

interface TrialError extends Error {
  readonly code: string;
  readonly mayRetry: boolean;
  readonly details: {
    readonly isSigned?: boolean;
    readonly status?: number;
    readonly trial?: { readonly status: string; readonly nextStep: { readonly action: string } };
    readonly accounting?: Readonly<Record<string, string | null>>;
  };
}

// The client is plain JavaScript without types, so this names what it exports.
const readClient = createReader(
  Type.Object({
    tryOperation: Type.Unsafe<
      (options: object) => Promise<{ result: unknown; accounting: Record<string, string | null> }>
    >(Type.Unknown()),
    TrialError: Type.Unsafe<new () => TrialError>(Type.Unknown()),
  }),
  'the trial client',
);

const source = new URL('../../../gateway/pages/assets/trial-client.js', import.meta.url);
const { tryOperation, TrialError } = readClient(await import(source.href));

// Members are nested, unsorted and beyond ASCII. The digest is that of the canonical form.
const BODY = {
  sourceUrl: 'https://example.com/\u{1f600}',
  html: '<p>é "quoted" \\ \u2028</p>',
  nested: { b: [1.5, -0, null], a: true },
};
const challenger = createChallenger({
  keys: [Buffer.alloc(32, 1)],
  deploymentId: 'test',
  chains: TERMS.chains,
  now: Date.now,
});
const readRecord = createReader(Type.Record(Type.String(), Type.Unknown()), 'the header');
const offerAt = (origin: URL) => createOffer({ operation: htmlToMarkdown, origin, terms: TERMS, secrets: SECRETS });

/** A change of the decoded header: the path of a field and its new value. Undefined removes the field. */
type Change = readonly [path: string, value: unknown];

const SIGN_IN = 'extensions.sign-in-with-x';
const INFO = `${SIGN_IN}.info`;
const TRIAL = 'extensions.seller-trial.info';

/** Answers with the product's challenge, after changes. */
function challenging(origin: URL, ...changes: readonly Change[]): Behaviour {
  return (response) => {
    const { uri, challenge } = offerAt(origin);
    const request = { uri, domain: origin.host, method: 'POST', bodyDigest: digestBody(BODY) };
    const { header, body } = defined(challenge(JSON.stringify(challenger.issue(request))));
    const required = readRecord(fromBase64(header));
    for (const [path, value] of changes) setAt(required, path.split('.'), value);
    answering(body, 402, { 'payment-required': toBase64(required) })(response, response.req);
  };
}

const CHARGED = {
  'x-access-mode': 'trial',
  'x-trial-status': 'charged',
  'x-trial-accounting-status': 'confirmed',
  'x-trial-balance-atomic': '47000',
};
const RESULT = { markdown: 'é' };

/** Runs the client, and records what it signs and sends. */
async function run(t: ExecutionContext, respond: (origin: URL) => readonly Behaviour[], options: object = {}) {
  const server = await startUpstream(t);
  const { baseUrl } = server;
  server.behave(...respond(baseUrl));
  const wallet = createWallet();
  const signed: string[] = [];
  const signer = {
    address: wallet.address,
    signMessage: (input: { readonly message: string }) => {
      signed.push(input.message);
      return wallet.signMessage(input);
    },
  };
  const url = baseUrl.origin + htmlToMarkdown.path;
  const outcome = tryOperation({ url, body: BODY, signer, timeoutMs: 5000, ...options });
  const settled = await outcome.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => {
      if (!(error instanceof TrialError)) throw error;
      return { value: undefined, error };
    },
  );
  return { ...settled, signed, seen: server.seen };
}

/** Asserts that the client fails with a code. If `isSigned` is false, it signed nothing and sent one request. */
async function fails(
  t: ExecutionContext,
  code: string,
  respond: (origin: URL) => readonly Behaviour[],
  isSigned: boolean,
) {
  const { error, signed, seen } = await run(t, respond);
  t.true(error instanceof TrialError, String(error?.stack));
  t.is(error?.code, code, error?.message);
  t.is(error?.mayRetry, false);
  t.is(error?.details.isSigned, isSigned);
  t.is(signed.length, isSigned ? 1 : 0);
  t.is(seen.length, isSigned ? 2 : 1);
  t.true(seen.every(({ headers }) => headers['payment-signature'] === undefined && headers['x-payment'] === undefined));
  return error;
}

test('signs a valid challenge once, and returns the confirmed result', async (t) => {
  const { value, error, signed, seen } = await run(t, (origin) => [
    challenging(origin),
    answering(RESULT, 200, CHARGED),
  ]);
  t.is(error, undefined);
  t.deepEqual(value?.result, RESULT);
  t.like(value?.accounting, CHARGED);
  t.deepEqual([signed.length, seen.length], [1, 2]);
  const proof = readRecord(fromBase64(String(seen[1]?.headers['sign-in-with-x'])));
  t.regex(String(proof['signature']), /^0x[0-9a-f]{130}$/);
});

const now = Date.now();
const at = (offsetMs: number) => new Date(now + offsetMs).toISOString();
const OTHER_BODY = `0123456789abcdef.${digestBody({ html: 'other' })}`;

const refusedChanges: readonly (readonly [title: string, code: string, ...changes: readonly Change[]])[] = [
  ['no extensions', 'DENIED', ['extensions', undefined]],
  ['extensions that are null', 'DENIED', ['extensions', null]],
  ['extensions that are a string', 'DENIED', ['extensions', 'seller-trial']],
  ['no seller-trial', 'DENIED', ['extensions.seller-trial', undefined]],
  ['a trial that is null', 'DENIED', [TRIAL, null]],
  ['a trial that is unavailable', 'DENIED', [`${TRIAL}.status`, 'unavailable']],
  ['a next step that is a number', 'DENIED', [`${TRIAL}.status`, 'unavailable'], [`${TRIAL}.nextStep`, 7]],
  ['no quote', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, undefined]],
  ['a quote that is a number', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, 3000]],
  ['a quote of zero', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, '0']],
  ['a quote with a leading zero', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, '03000']],
  ['a negative quote', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, '-3000']],
  ['a hexadecimal quote', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, '0xbb8']],
  ['a quote of a thousand digits', 'MALFORMED_ANSWER', [`${TRIAL}.quotedAmountAtomic`, '9'.repeat(1000)]],
  ['a quote that is not the price', 'WRONG_QUOTE', [`${TRIAL}.quotedAmountAtomic`, '2999']],
  ['no accepts', 'WRONG_QUOTE', ['accepts', undefined]],
  ['accepts that are null', 'WRONG_QUOTE', ['accepts', [null]]],
  ['accepts without an amount', 'WRONG_QUOTE', ['accepts', [{}]]],
  ['a quote that is not covered', 'QUOTE_TOO_HIGH', [`${TRIAL}.coveredByInitialGrant`, false]],
  ['coveredByInitialGrant that is a string', 'QUOTE_TOO_HIGH', [`${TRIAL}.coveredByInitialGrant`, 'yes']],
  [
    'a quote above the grant',
    'QUOTE_TOO_HIGH',
    [`${TRIAL}.quotedAmountAtomic`, '50001'],
    ['accepts', [{ amount: '50001' }]],
  ],
  ['no sign-in', 'WRONG_CHALLENGE', [SIGN_IN, undefined]],
  ['a sign-in that is a string', 'WRONG_CHALLENGE', [SIGN_IN, 'x']],
  ['no info', 'WRONG_CHALLENGE', [INFO, undefined]],
  ['info that is a list', 'WRONG_CHALLENGE', [INFO, []]],
  ...['domain', 'uri', 'version', 'nonce', 'issuedAt', 'expirationTime', 'requestId', 'statement', 'resources'].flatMap(
    (field) =>
      [
        [`no ${field}`, 'WRONG_CHALLENGE', [`${INFO}.${field}`, undefined]],
        [`a ${field} that is an object`, 'WRONG_CHALLENGE', [`${INFO}.${field}`, { length: 2 }]],
        [`a ${field} with a line break`, 'WRONG_CHALLENGE', [`${INFO}.${field}`, 'a\nURI: https://example.com']],
      ] as const,
  ),
  ['another domain', 'WRONG_CHALLENGE', [`${INFO}.domain`, 'example.com']],
  ['another URL', 'WRONG_CHALLENGE', [`${INFO}.uri`, 'https://example.com/']],
  ['a statement with a carriage return', 'WRONG_CHALLENGE', [`${INFO}.statement`, 'a\rb']],
  ['a statement with a line separator', 'WRONG_CHALLENGE', [`${INFO}.statement`, 'a\u2028b']],
  ['a statement with a right-to-left override', 'WRONG_CHALLENGE', [`${INFO}.statement`, 'a\u202eb']],
  ['a statement of 5,000 characters', 'WRONG_CHALLENGE', [`${INFO}.statement`, 'a'.repeat(5000)]],
  ['a nonce of three characters', 'WRONG_CHALLENGE', [`${INFO}.nonce`, 'abc']],
  ['a challenge for another body', 'WRONG_CHALLENGE', [`${INFO}.requestId`, OTHER_BODY]],
  ['a request id without a digest', 'WRONG_CHALLENGE', [`${INFO}.requestId`, '0123456789abcdef']],
  ['resources that are not strings', 'WRONG_CHALLENGE', [`${INFO}.resources`, [1, 2]]],
  ['another method', 'WRONG_CHALLENGE', [`${INFO}.resources.1`, 'urn:tollhouse:delete']],
  ['a resource that delegates rights', 'WRONG_CHALLENGE', [`${INFO}.resources.2`, 'urn:recap:eyJhdHQiOnt9fQ']],
  ['an expired challenge', 'WRONG_CHALLENGE', [`${INFO}.expirationTime`, at(-1000)]],
  ['a challenge that is valid for a day', 'WRONG_CHALLENGE', [`${INFO}.expirationTime`, at(86_400_000)]],
  [
    'a challenge of the far future',
    'WRONG_CHALLENGE',
    [`${INFO}.issuedAt`, at(86_400_000)],
    [`${INFO}.expirationTime`, at(86_700_000)],
  ],
  ['an invalid time', 'WRONG_CHALLENGE', [`${INFO}.expirationTime`, '2099-13-45T99:99:99.999Z']],
  ['no chains', 'WRONG_CHALLENGE', [`${SIGN_IN}.supportedChains`, undefined]],
  ['chains that are null', 'WRONG_CHALLENGE', [`${SIGN_IN}.supportedChains`, [null]]],
  [
    'a chain of another kind',
    'WRONG_CHALLENGE',
    [`${SIGN_IN}.supportedChains`, [{ chainId: 'solana:5eykt4', type: 'eip191' }]],
  ],
  [
    'a chain with a line break',
    'WRONG_CHALLENGE',
    [`${SIGN_IN}.supportedChains`, [{ chainId: 'eip155:1\nNonce: 1', type: 'eip191' }]],
  ],
  [
    'a chain of contract wallets',
    'WRONG_CHALLENGE',
    [`${SIGN_IN}.supportedChains`, [{ chainId: 'eip155:1', type: 'eip1271' }]],
  ],
];
for (const [title, code, ...changes] of refusedChanges) {
  test(`${title}: ${code}, and nothing is signed`, async (t) => {
    await fails(t, code, (origin) => [challenging(origin, ...changes)], false);
  });
}

const envelope = { error: { code: 'INVALID_REQUEST', message: 'html is required', requestId: '1' } };
const offered = (header: string) => answering({}, 402, { 'payment-required': header });

/** Breaks the connection in the middle of the body. */
const breaking: Behaviour = (response: ServerResponse) => {
  response.writeHead(200, { ...CHARGED, 'content-length': '1000' });
  response.write('{', () => response.socket?.resetAndDestroy());
};

const refusedAnswers: readonly (readonly [title: string, code: string, answer: Behaviour])[] = [
  ['no header', 'NO_CHALLENGE', answering({}, 402)],
  ['a result without a payment', 'NO_CHALLENGE', answering(RESULT)],
  ['an error that is not JSON', 'NO_CHALLENGE', answering('<html>', 502)],
  ['an error that is null', 'NO_CHALLENGE', answering('null', 500)],
  ['an envelope of wrong types', 'NO_CHALLENGE', answering({ error: { code: 1, message: {} } }, 400)],
  ['an envelope', 'INVALID_REQUEST', answering(envelope, 400)],
  ['a header that is not base64', 'MALFORMED_ANSWER', offered('%%%')],
  ['a header that is not UTF-8', 'MALFORMED_ANSWER', offered('/w==')],
  ['a header that is not JSON', 'MALFORMED_ANSWER', offered(toBase64('{'))],
  ['a header that holds null', 'MALFORMED_ANSWER', offered(toBase64('null'))],
  ['a header that holds a list', 'MALFORMED_ANSWER', offered(toBase64('[]'))],
  ['a header that holds a number', 'MALFORMED_ANSWER', offered(toBase64('7'))],
  ['an empty object', 'DENIED', offered(toBase64('{}'))],
  ['a redirect', 'NO_ANSWER', answering('', 307, { location: 'https://example.com/' })],
  ['a connection that breaks', 'NO_ANSWER', resetting],
  ['an incomplete body', 'NO_ANSWER', breaking],
];
for (const [title, code, answer] of refusedAnswers) {
  test(`${title} instead of a challenge: ${code}, and nothing is signed`, async (t) => {
    await fails(t, code, () => [answer], false);
  });
}

const without = (name: keyof typeof CHARGED) =>
  Object.fromEntries(Object.entries(CHARGED).filter(([key]) => key !== name));

const refusedResults: readonly (readonly [title: string, code: string, answer: Behaviour])[] = [
  [
    'an uncertain accounting',
    'UNCONFIRMED',
    answering(RESULT, 200, { ...CHARGED, 'x-trial-accounting-status': 'uncertain' }),
  ],
  ['no access mode', 'UNCONFIRMED', answering(RESULT, 200, without('x-access-mode'))],
  ['no trial status', 'UNCONFIRMED', answering(RESULT, 200, without('x-trial-status'))],
  ['no accounting status', 'UNCONFIRMED', answering(RESULT, 200, without('x-trial-accounting-status'))],
  [
    'a balance that is not an amount',
    'UNCONFIRMED',
    answering(RESULT, 200, { ...CHARGED, 'x-trial-balance-atomic': '-1' }),
  ],
  ['a payment response', 'UNCONFIRMED', answering(RESULT, 200, { ...CHARGED, 'payment-response': 'e30=' })],
  ['a payment response of version 1', 'UNCONFIRMED', answering(RESULT, 200, { ...CHARGED, 'x-payment-response': '' })],
  ['a result that is not JSON', 'MALFORMED_ANSWER', answering('<html>', 200, CHARGED)],
  ['a result that is null', 'MALFORMED_ANSWER', answering('null', 200, CHARGED)],
  ['an incomplete result', 'NO_ANSWER', breaking],
  ['a redirect', 'NO_ANSWER', answering('', 308, { location: '/elsewhere' })],
  ['a connection that breaks', 'NO_ANSWER', resetting],
  ['a failure without an envelope', 'FAILED', answering('', 503)],
  ['an envelope', 'INVALID_REQUEST', answering(envelope, 400)],
];
for (const [title, code, answer] of refusedResults) {
  test(`${title} instead of the result: ${code}, after one signature`, async (t) => {
    const error = await fails(t, code, (origin) => [challenging(origin), answer], true);
    if (code !== 'NO_ANSWER') t.is(typeof error?.details.status, 'number');
  });
}

test('the error of a denial after signing has its status, its next step and its accounting', async (t) => {
  const denial: Behaviour = (response, request) => {
    const { header, body } = offerAt(new URL(`http://${request.headers.host}`)).denial('insufficient_balance', {
      balanceMicroUsd: 2000n,
    });
    const headers = { 'payment-required': header, 'x-trial-status': 'insufficient_balance' };
    answering(body, 402, headers)(response, request);
  };
  const error = await fails(t, 'DENIED', (origin) => [challenging(origin), denial], true);
  t.like(error?.details, {
    status: 402,
    trial: { status: 'insufficient_balance', nextStep: { action: 'choose_paid_request' } },
  });
  t.is(error?.details.accounting?.['x-trial-status'], 'insufficient_balance');
  t.regex(defined(error).message, /does not cover/);
});

test('a server that is down or silent gives NO_ANSWER', async (t) => {
  const url = (await closedUrl()).href;
  const failure = await t.throwsAsync<TrialError>(tryOperation({ url, body: BODY, signer: createWallet() }));
  t.deepEqual([failure?.name, failure?.code], ['TrialError', 'NO_ANSWER']);
  const { error } = await run(t, () => [silent], { timeoutMs: 50 });
  t.is(error?.code, 'NO_ANSWER');
});

test('cuts off an endless answer', async (t) => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const endless: Behaviour = (response) => {
    response.writeHead(200, CHARGED);
    const write = () => response.writable && response.write(chunk, write);
    write();
  };
  const { error, signed } = await run(t, (origin) => [challenging(origin), endless], { timeoutMs: 30_000 });
  t.deepEqual([error?.code, signed.length], ['NO_ANSWER', 1]);
  t.regex(defined(error).message, /larger than/);
});

for (const [title, signMessage, code] of [
  ['a wallet that refuses', () => Promise.reject(new Error('rejected')), 'NOT_SIGNED'],
  ['a wallet that returns nothing', () => Promise.resolve(undefined), 'NOT_SIGNED'],
] as const) {
  test(`${title}: ${code}, and no proof is sent`, async (t) => {
    const signer = { address: createWallet().address, signMessage };
    const { error, seen } = await run(t, (origin) => [challenging(origin)], { signer });
    t.deepEqual([error?.code, seen.length], [code, 1]);
  });
}

for (const [title, options] of [
  ['no signer', { signer: undefined }],
  ['a malformed address', { signer: { address: '0x1\nNonce: 1', signMessage: () => '' } }],
  ['a relative URL', { url: '/api' }],
  ['a body with a bigint', { body: { html: 1n } }],
  ['no body', { body: undefined }],
  ['a limit that is a number', { maxQuoteMicroUsd: 0.5 }],
  ['a time-out that is not whole', { timeoutMs: Number.NaN }],
] as const) {
  test(`${title}: INVALID_OPTIONS, and nothing is sent`, async (t) => {
    const { error, seen } = await run(t, () => [answering({})], options);
    t.true(error instanceof TrialError);
    t.deepEqual([error?.code, seen.length], ['INVALID_OPTIONS', 0]);
  });
}

test('a quote above the limit of the caller is QUOTE_TOO_HIGH', async (t) => {
  const { error, signed } = await run(t, (origin) => [challenging(origin)], { maxQuoteMicroUsd: 2999n });
  t.deepEqual([error?.code, signed.length], ['QUOTE_TOO_HIGH', 0]);
});
