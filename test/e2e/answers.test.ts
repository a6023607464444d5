import test from 'ava';
import { Type } from 'typebox';
import { REFUND_PATH } from '../../gateway/access/offer/refund-offer.ts';
import { operations } from '../../gateway/operations/index.ts';
import { toolNameOf } from '../../gateway/operations/operation/operation.ts';
import { endpoints } from '../../gateway/verified/index.ts';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { TOOL_NAMES } from '../../services/verification/contract/tools.ts';
import { openRaw, readAnswers } from '../gateway/http/raw-client.ts';
import { openBuyers } from '../kit/buyers.ts';
import { createWallet } from '../kit/chain.ts';
import { CONVERT, post, rawRequest, requirementsOf } from '../kit/client.ts';
import { untilMetrics } from '../kit/metrics.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { until } from '../kit/until.ts';

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
test.after.always(() => stack.stop());

const BODY = { html: '<h1>Answers</h1>' };
const readOpenApi = createReader(Type.Object({ paths: Type.Object({}) }), 'openapi.json');
const readTrialClient = createReader(
  Type.Object({
    tryOperation: Type.Unsafe<(options: object) => Promise<{ result: { markdown: string } }>>(Type.Unknown()),
  }),
  'the trial client',
);
const readAgent = createReader(
  Type.Object({
    operations: Type.Unknown(),
    contact: Type.Unknown(),
    mcp: Type.Array(Type.Object({ url: Type.String() })),
  }),
  'agent.json',
);

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
  const names = operations.map(({ name }) => ({ name }));
  const agent = readAgent((await get('/agent.json')).json);
  t.like(agent.operations, names);
  t.deepEqual(agent.contact, { name: `Operator of ${new URL(url).host}` });
  for (const [path, tools] of [
    ['/mcp', operations.map(toolNameOf)],
    ['/api/v1/mcp', TOOL_NAMES],
  ] as const) {
    t.like(
      agent.mcp.find((one) => one.url === stack.urls[0] + path),
      { tools: [...tools] },
    );
    t.true(described.includes(path));
  }
  const { supportedChains } = requirementsOf(await post(url, BODY)).extensions['sign-in-with-x'] ?? {};
  t.deepEqual<unknown, unknown>(
    supportedChains,
    ['eip155:31337', 'eip155:8453'].map((chainId) => ({ chainId, type: 'eip191' })),
  );
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

test('the published trial client is one file, and gets a confirmed result', async (t) => {
  const source = (await rawRequest(`${stack.urls[0]}/assets/trial-client.js`, { method: 'GET' })).text;
  const { tryOperation } = readTrialClient(await import(`data:text/javascript,${encodeURIComponent(source)}`));
  t.is((await tryOperation({ url, body: BODY, signer: createWallet() })).result.markdown, '# Answers\n');
});
