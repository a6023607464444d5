import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { REFUND_PATH } from '../../gateway/access/offer/refund-offer.ts';
import { operations } from '../../gateway/operations/index.ts';
import { endpoints } from '../../gateway/verified/index.ts';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { TOOL_NAMES } from '../../services/verification/contract/tools.ts';
import { defined } from '../../workers/exact/defined.ts';
import { createWallet, decodePayment } from '../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  errorOf,
  fundedWallet,
  headerOf,
  pay,
  post,
  rawRequest,
  requirementsOf,
  signIn,
  toBase64,
  tryOnce,
} from '../helpers/client.ts';
import { untilMetrics } from '../helpers/metrics.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';
import { until } from '../helpers/until.ts';

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
test.after.always(() => stack.stop());

const BODY = { html: '<h1>Answers</h1>' };
const readOnboarding = createReader(
  Type.Object({
    extensions: Type.Object({ 'seller-trial': Type.Object({ info: Type.Record(Type.String(), Type.Unknown()) }) }),
  }),
  'the onboarding body',
);
const infoOf = ({ json }: Answer) => readOnboarding(json).extensions['seller-trial'].info;
const readOpenApi = createReader(Type.Object({ paths: Type.Object({}) }), 'openapi.json');
const readAgent = createReader(
  Type.Object({
    operations: Type.Unknown(),
    contact: Type.Unknown(),
    mcp: Type.Array(Type.Object({ url: Type.String() })),
  }),
  'agent.json',
);
const readTrialClient = createReader(
  Type.Object({
    tryOperation: Type.Unsafe<
      (options: object) => Promise<{ result: { markdown: string }; accounting: Record<string, string> }>
    >(Type.Unknown()),
  }),
  'the trial client',
);

/** Asserts the fields that every onboarding body has, and that the body agrees with the header. */
function isOnboarding(t: ExecutionContext, answer: Answer): void {
  t.is(answer.status, 402);
  for (const field of ['message', 'resource', 'documentationUrl', 'openapiUrl'])
    t.is(typeof answer.json?.[field], 'string');
  t.is(answer.json?.['method'], 'POST');
  t.is(answer.json?.['resource'], url);
  const info = infoOf(answer);
  t.deepEqual(requirementsOf(answer).extensions['seller-trial']?.info, info);
  t.is(info['quotedAmountAtomic'], '3000');
  t.is(info['coveredByInitialGrant'], true);
  t.false(answer.text.includes('nonce'));
  t.is(answer.headers.get('x-access-mode'), null);
}

test('an empty or probing request is a discovery probe', async (t) => {
  for (const body of ['', '{}']) {
    const answer = await post(url, body);
    isOnboarding(t, answer);
    t.like(infoOf(answer), { status: 'discovery_probe', nextStep: { action: 'submit_valid_request' } });
    t.is(answer.headers.get('x-trial-status'), 'discovery_probe');
    t.is(requirementsOf(answer).extensions['sign-in-with-x'], undefined);
    t.regex(String(answer.json?.['quickstartUrl']), /#quickstart$/);
  }
});

test('a valid unsigned request gets a challenge of 300 seconds', async (t) => {
  const answer = await post(url, BODY);
  isOnboarding(t, answer);
  t.like(infoOf(answer), { status: 'challenge', nextStep: { action: 'sign_and_retry' } });
  t.is(answer.headers.get('x-trial-status'), 'challenge');
  const { info, supportedChains } = defined(requirementsOf(answer).extensions['sign-in-with-x']);
  t.is(Date.parse(info.expirationTime) - Date.parse(info.issuedAt), 300_000);
  t.deepEqual<unknown, unknown>(supportedChains, [
    { chainId: 'eip155:31337', type: 'eip191' },
    { chainId: 'eip155:8453', type: 'eip191' },
  ]);
  t.regex(String(answer.json?.['quickstartUrl']), /#quickstart$/);
  t.deepEqual(requirementsOf(answer).accepts[0].amount, '3000');
});

test('every operation asks for its own price, and gives an example request', async (t) => {
  for (const { path, priceMicroUsd, requestExample } of operations) {
    const answer = await post(stack.urls[0] + path, requestExample);
    t.like(infoOf(answer), { status: 'challenge', quotedAmountAtomic: String(priceMicroUsd) });
    t.is(requirementsOf(answer).accepts[0].amount, String(priceMicroUsd));
    t.deepEqual(answer.json?.['requestExample'], requestExample);
  }
});

test('a signed request is executed, charged and confirmed', async (t) => {
  const answer = await tryOnce(stack.urls[0], BODY, createWallet());
  t.is(answer.status, 200);
  t.deepEqual(Object.keys(defined(answer.json)).sort(), [
    'byline',
    'excerpt',
    'markdown',
    'markdownCharacters',
    'title',
  ]);
  t.is(answer.headers.get('x-access-mode'), 'trial');
  t.is(answer.headers.get('x-trial-status'), 'charged');
  t.is(answer.headers.get('x-trial-accounting-status'), 'confirmed');
  t.is(answer.headers.get('x-trial-balance-atomic'), '47000');
  for (const name of ['payment-response', 'x-payment-response']) t.is(answer.headers.get(name), null);
});

test('a trial whose operation fails is released, and gets its credit back', async (t) => {
  const wallet = createWallet();
  const answer = await tryOnce(stack.urls[0], { html: '<b>'.repeat(100_001) }, wallet);
  t.is(answer.status, 400);
  t.is(codeOf(answer), 'DOCUMENT_TOO_COMPLEX');
  t.is(answer.headers.get('x-access-mode'), 'trial');
  t.is(answer.headers.get('x-trial-status'), 'released');
  t.is(answer.headers.get('x-trial-balance-atomic'), '50000');
});

test('refuses a wallet with 429 after five failed executions in an hour', async (t) => {
  const wallet = createWallet();
  const bomb = { html: '<b>'.repeat(100_001) };
  for (let n = 0; n < 5; n += 1) t.is((await tryOnce(stack.urls[0], bomb, wallet)).status, 400);
  const answer = await tryOnce(stack.urls[0], bomb, wallet);
  t.is(answer.status, 429);
  t.is(codeOf(answer), 'RATE_LIMITED');
  t.truthy(answer.headers.get('retry-after'));
});

test('a bad proof is rejected', async (t) => {
  const malformed = await post(url, BODY, { 'sign-in-with-x': 'e30=' });
  t.is(malformed.status, 400);
  const invalid = await post(url, BODY, {
    'sign-in-with-x': toBase64({ ...(await signIn(await post(url, BODY), createWallet())), nonce: '0'.repeat(32) }),
  });
  t.is(invalid.status, 401);
  for (const answer of [malformed, invalid]) {
    t.is(answer.headers.get('x-trial-status'), 'rejected');
    t.is(errorOf(answer).requestId, headerOf(answer, 'x-request-id'));
  }
});

test('a paid request is settled and reports the settlement; resending it returns the same answer', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, {})), wallet);
  const answers = [
    await post(url, BODY, { 'payment-signature': payment }),
    await post(url, BODY, { 'payment-signature': payment }),
  ];
  for (const answer of answers) {
    t.is(answer.status, 200);
    t.is(answer.headers.get('x-access-mode'), null);
    t.is(answer.headers.get('x-trial-status'), null);
  }
  t.is(answers[0]?.headers.get('payment-response'), answers[1]?.headers.get('payment-response'));
  t.is(answers[0]?.text, answers[1]?.text);
});

test('recognizes a payment by its identifier in a header with other bytes', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, {})), wallet, 'payment_0123456789');
  const first = await post(url, BODY, { 'payment-signature': payment });
  const reordered = toBase64(Object.fromEntries(Object.entries(decodePayment(payment)).reverse()));
  t.not(reordered, payment);
  const second = await post(url, BODY, { 'payment-signature': reordered });
  t.deepEqual([first.status, second.status], [200, 200]);
  const [accepted] = requirementsOf(await post(url, {})).accepts;
  const otherOffer = toBase64({ ...decodePayment(payment), accepted });
  t.is((await post(url, BODY, { 'payment-signature': otherOffer })).text, first.text);
  const stranger = toBase64({ ...decodePayment(payment), accepted, extensions: {} });
  t.is(codeOf(await post(url, BODY, { 'payment-signature': stranger })), 'PAYMENT_REUSED');
});

test('browsers may call from any origin (CORS)', async (t) => {
  const preflight = await rawRequest(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,sign-in-with-x,access-control-expose-headers',
    },
  });
  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-origin'), '*');
  t.is(preflight.headers.get('access-control-allow-credentials'), null);
  for (const name of ['SIGN-IN-WITH-X', 'PAYMENT-SIGNATURE', 'X-PAYMENT', 'Access-Control-Expose-Headers']) {
    t.true(headerOf(preflight, 'access-control-allow-headers').includes(name));
  }
  const answer = await post(url, BODY, { origin: 'https://app.example' });
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Trial-Status', 'X-Request-Id']) {
    t.true(headerOf(answer, 'access-control-expose-headers').includes(name));
  }
});

test('serves the published documents', async (t) => {
  const get = async (path: string) => rawRequest(stack.urls[0] + path, { method: 'GET' });
  const openapi = await get('/openapi.json');
  t.is(openapi.json?.['openapi'], '3.1.0');
  t.like(openapi.json?.['info'], { version: '1.0.0' });
  const paths = new Set([...operations, { path: REFUND_PATH }, ...endpoints].map(({ path }) => path));
  const described = Object.keys(readOpenApi(openapi.json).paths);
  t.deepEqual(described.filter((path) => !path.endsWith('/mcp')).toSorted(), [...paths].toSorted());
  t.true(described.includes('/api/v1/mcp'));
  const names = operations.map(({ name }) => ({ name }));
  const agent = readAgent((await get('/agent.json')).json);
  t.like(agent.operations, names);
  t.deepEqual(agent.contact, { name: `Operator of ${new URL(url).host}` });
  const verified = agent.mcp.find((one) => one.url === `${stack.urls[0]}/api/v1/mcp`);
  t.like(verified, { tools: [...TOOL_NAMES] });
  const forModels = (await get('/llms.txt')).text;
  for (const { name } of names) {
    t.regex((await get(`/apis/${name}`)).text, /id="quickstart"/);
    t.true(forModels.includes(`/apis/${name}`));
  }
  for (const { path } of endpoints) t.true(forModels.includes(path), path);
  for (const name of TOOL_NAMES) t.true(forModels.includes(name), name);
  await t.notThrowsAsync(untilMetrics(stack.urls[0], /tollhouse_http_request_seconds_bucket/));
  t.is((await get('/health/live')).status, 200);
  const serving = await until(async () => {
    const { json } = await get('/health/ready');
    return json?.['status'] === 'ok' && json;
  });
  t.like(serving, {
    trials: 'available',
    payments: 'available',
    services: { content: 'ok', payments: 'ok', backoffice: 'ok', verification: 'ok' },
  });
});

test('the published trial client gets a confirmed result', async (t) => {
  const source = (await rawRequest(`${stack.urls[0]}/assets/trial-client.js`, { method: 'GET' })).text;
  const { tryOperation } = readTrialClient(await import(`data:text/javascript,${encodeURIComponent(source)}`));
  const { result, accounting } = await tryOperation({ url, body: BODY, signer: createWallet() });
  t.is(result.markdown, '# Answers\n');
  t.is(accounting['x-trial-accounting-status'], 'confirmed');
  await t.throwsAsync(tryOperation({ url, body: BODY, signer: createWallet(), maxQuoteMicroUsd: 2999n }), {
    message: /not covered/,
  });
});

test('a wallet whose credit does not cover the quote is denied, and may pay instead', async (t) => {
  const wallet = createWallet();
  for (let n = 0; n < 16; n += 1) t.is((await tryOnce(stack.urls[0], BODY, wallet)).status, 200);
  const answer = await tryOnce(stack.urls[0], BODY, wallet);
  isOnboarding(t, answer);
  t.like(infoOf(answer), {
    status: 'insufficient_balance',
    balanceAtomic: '2000',
    nextStep: { action: 'choose_paid_request' },
  });
  t.is(answer.headers.get('x-trial-status'), 'insufficient_balance');
  t.is(answer.headers.get('x-trial-balance-atomic'), '2000');
  t.is(requirementsOf(answer).extensions['sign-in-with-x'], undefined);
  t.is(answer.json?.['quickstartUrl'], undefined);
});
