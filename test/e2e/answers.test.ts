import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { REFUND_PATH } from '../../gateway/access/offer/refund-offer.ts';
import { operations } from '../../gateway/operations/index.ts';
import { endpoints } from '../../gateway/verified/index.ts';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { TOOL_NAMES } from '../../services/verification/contract/tools.ts';
import { defined } from '../../workers/exact/defined.ts';
import { openRaw, readAnswers } from '../gateway/http/raw-client.ts';
import { openBuyers } from '../kit/buyers.ts';
import { createWallet } from '../kit/chain.ts';
import { type Answer, CONVERT, post, rawRequest, requirementsOf } from '../kit/client.ts';
import { untilMetrics } from '../kit/metrics.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { until } from '../kit/until.ts';

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

test('a signed request is executed, charged and confirmed', async (t) => {
  const answer = await openBuyers(stack.urls[0]).trial().call(CONVERT, BODY);
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

test('a trial on a connection that the client has half closed is charged and answered', async (t) => {
  const { host, port } = new URL(url);
  const { headers } = await openBuyers(stack.urls[0]).trial().sign(CONVERT, BODY);
  const body = JSON.stringify(BODY);
  const fields = { Host: host, 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const { socket, closed } = openRaw(Number(port), [`POST ${CONVERT} HTTP/1.1`, ...head, '', body].join('\r\n'));
  socket.end();
  const received = await closed;
  t.is(readAnswers(received)[0]?.status, 200);
  t.regex(received, /^x-trial-status: charged\r$/im);
  t.regex(received, /# Answers/);
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
  await t.notThrowsAsync(untilMetrics(stack, /tollhouse_http_request_seconds_bucket/));
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
