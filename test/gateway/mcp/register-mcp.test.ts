import { request as httpRequest } from 'node:http';
import test from 'ava';
import { Type } from 'typebox';
import { AppError } from '../../../gateway/errors/app-error.ts';
import type { McpEndpoint } from '../../../gateway/mcp/register-mcp.ts';
import { type ToolCall, toToolResult } from '../../../gateway/mcp/tool.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { RECORD_JSON } from '../../../workers/exact/strict-json.ts';
import { headerOf, rawRequest } from '../../kit/client.ts';
import { fc } from '../../kit/fast-check.ts';
import { startToolApp } from './tool-app.ts';

/** A tool that returns its arguments. */
const echo = {
  name: 'echo',
  title: 'Echo',
  description: 'Returns its arguments.',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  remedies: { NOT_FOUND: 'Look elsewhere.' },
  async call({ args, meta }: ToolCall<undefined>) {
    if (args['fail'] === 'fault') throw new Error('password=hunter2');
    if (args['fail'] === 'refusal') throw new AppError('NOT_FOUND', 'there is no such thing');
    return toToolResult(JSON.stringify(Object.keys(meta).length === 0 ? { args } : { args, meta }));
  },
} as const;

const endpoint: McpEndpoint<undefined> = {
  path: '/mcp',
  name: 'test',
  title: 'Test',
  version: '1.0.0',
  instructions: 'Echo.',
  tools: [echo],
  rules: RECORD_JSON,
  schema: {},
  async admit(request) {
    if (request.headers.authorization === 'none') throw new AppError('UNAUTHENTICATED', 'send a key');
    return undefined;
  },
};

const app = await startToolApp(endpoint);
test.after.always(() => app.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(body: unknown, { method = 'POST', path = '', headers = {} }: Sent = {}) {
  const response = await fetch(new URL(path, app.url), {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const json = text === '' ? undefined : parseAnswer(text);
  return { status: response.status, headers: response.headers, json };
}

const Answer = Type.Object({
  id: Type.Optional(Type.Unknown()),
  result: Type.Optional(
    Type.Object({
      protocolVersion: Type.Optional(Type.String()),
      supportedVersions: Type.Optional(Type.Array(Type.String())),
      isError: Type.Optional(Type.Boolean()),
      content: Type.Optional(Type.Array(Type.Object({ text: Type.String() }))),
      structuredContent: Type.Optional(Type.Unknown()),
    }),
  ),
  error: Type.Optional(
    Type.Object({
      code: Type.Number(),
      message: Type.String(),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});
type Answer = Type.Static<typeof Answer>;
const parseAnswer = createJsonReader(Answer, 'the JSON-RPC answer');
const parseRefusal = createJsonReader(
  Type.Object({
    error: Type.Object({ code: Type.String(), message: Type.String(), requestId: Type.String() }),
  }),
  'the text of a refusal',
);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const call = (args: unknown, name = 'echo') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
interface Received {
  readonly json: Answer | undefined;
}

const textOf = ({ json }: Received) => defined(json?.result?.content?.[0]).text;
/** The refusal of a tool, which is in the text of its result. */
const refusalOf = (received: Received) => parseRefusal(textOf(received)).error;

test("agrees on the client's revision, and offers 2025-06-18 for an unsupported one", async (t) => {
  for (const [asked, agreed] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-06-18'],
    ['tomorrow', '2025-06-18'],
  ] as const) {
    const { status, json } = await send(initialize(asked));
    t.is(status, 200);
    t.is(json?.result?.protocolVersion, agreed);
  }
});

test('an address with a slash at its end is the same endpoint', async (t) => {
  const slashed = { path: '/mcp/' };
  t.deepEqual((await send(ping, slashed)).json, (await send(ping)).json);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await send(undefined, { method, ...slashed });
    t.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, OPTIONS']);
  }
});

test('answers a client that accepts only JSON in JSON, without a session', async (t) => {
  const { status, headers, json } = await send(initialize('2025-06-18'));
  t.is(status, 200);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(headers.get('mcp-session-id'), null);
  t.truthy(headers.get('x-request-id'));
  t.is(json?.id, 1);
});

test('supports the revision without a handshake', async (t) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = (method: string, params: object) =>
    send(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'echo' } },
    );
  const discovered = await modern('server/discover', {});
  t.deepEqual(discovered.json?.result?.supportedVersions, ['2026-07-28']);
  const called = await modern('tools/call', { name: 'echo', arguments: { a: 'b' } });
  t.deepEqual(called.json?.result?.structuredContent, { args: { a: 'b' } });
  const listening = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  t.like(listening, { status: 404, json: { id: 1, error: { code: -32_601 } } });
});

test('refuses an unknown or a repeated revision header', async (t) => {
  const unknown = await send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } });
  t.is(unknown.status, 400);
  t.regex(defined(unknown.json?.error).message, /2025-06-18, 2025-11-25, 2026-07-28/);
  t.is((await send(ping, { headers: { 'mcp-protocol-version': '2025-06-18' } })).status, 200);
  const twice = await new Promise<number | undefined>((resolve, reject) => {
    const headers = ['content-type', 'application/json', 'host', new URL(app.url).host];
    const versions = ['mcp-protocol-version', '2025-06-18', 'mcp-protocol-version', '2025-11-25'];
    const request = httpRequest(app.url, { method: 'POST', headers: [...headers, ...versions] }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject).end(JSON.stringify(ping));
  });
  t.is(twice, 400);
});

test('accepts notifications without an answer', async (t) => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/whatever']) {
    const { status, json } = await send({ jsonrpc: '2.0', method });
    t.deepEqual({ status, json }, { status: 202, json: undefined });
  }
});

test('refuses a malformed JSON-RPC message with the code of the protocol', async (t) => {
  for (const [body, code] of [
    ['', -32_700],
    ['{', -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32_700],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(80)}${']'.repeat(80)}}`, -32_700],
    ['"ping"', -32_600],
    ['{"id":1,"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":1}', -32_600],
  ] as const) {
    const { status, json } = await send(body);
    t.deepEqual({ status, code: json?.error?.code }, { status: 400, code }, body.slice(0, 60));
  }
});

test('refuses a batch, which the protocol has not had since 2025-06-18', async (t) => {
  for (const batch of [[], [ping], [initialize('2025-06-18'), ping]]) {
    const { status, json } = await send(batch);
    t.deepEqual({ status, code: json?.error?.code }, { status: 400, code: -32_600 });
  }
});

test('refuses a body of another type than JSON, or larger than 8 MiB, in JSON-RPC', async (t) => {
  const other = await send(ping, { headers: { 'content-type': 'text/plain' } });
  t.like(other, { status: 415, json: { id: null, error: { data: { code: 'UNSUPPORTED_MEDIA_TYPE' } } } });
  const large = await send(call({ text: 'a'.repeat(10_000_000) }));
  t.like(large, { status: 413, json: { id: null, error: { data: { code: 'BODY_TOO_LARGE' } } } });
});

test('unknown methods and tools are errors of the protocol', async (t) => {
  t.is((await send({ ...ping, method: 'resources/list' })).json?.error?.code, -32_601);
  t.is((await send({ ...ping, method: 'no/such' })).json?.error?.code, -32_601);
  t.is((await send(call({}, 'no_such'))).json?.error?.code, -32_602);
  t.is((await send(call([]))).json?.error?.code, -32_602);
  t.is((await send({ ...ping, method: 'tools/call' })).json?.error?.code, -32_602);
});

test('wrong parameters of a method are errors of the protocol', async (t) => {
  t.is((await send({ ...ping, method: 'initialize' })).json?.error?.code, -32_602);
  t.is((await send({ ...ping, method: 'tools/list', params: { cursor: 1 } })).json?.error?.code, -32_602);
});

test('answers any input in JSON-RPC, and never with an internal error', async (t) => {
  const any = fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    1,
    '',
    '2.0',
    'echo',
    'tools/call',
    [],
    {},
    { name: 'echo' },
  );
  const often = (usual: unknown) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: any });
  const params = fc.record({
    name: often('echo'),
    arguments: often({}),
    protocolVersion: often('2025-06-18'),
    capabilities: often({}),
    clientInfo: often({ name: 'test', version: '1' }),
    task: any,
    _meta: fc.record({
      progressToken: any,
      'io.modelcontextprotocol/protocolVersion': fc.constantFrom<unknown>(undefined, '2026-07-28', 'x', 1),
      'io.modelcontextprotocol/clientInfo': often({ name: 'test', version: '1' }),
      'io.modelcontextprotocol/clientCapabilities': often({}),
    }),
  });
  const method = fc.constantFrom<unknown>(
    ...['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'subscriptions/listen', 'tasks/get'],
    ...['notifications/cancelled', 'notifications/progress', 'logging/setLevel', 'sampling/createMessage', 7],
  );
  const message = fc.record({
    jsonrpc: often('2.0'),
    id: often(1),
    method,
    params: fc.oneof({ weight: 4, arbitrary: params }, { weight: 1, arbitrary: any }),
  });
  const version = fc.constantFrom(undefined, '2025-06-18', '2026-07-28', 'x');
  await fc.assert(
    fc.asyncProperty(message, version, async (sent, revision) => {
      const headers: Readonly<Record<string, string>> =
        revision === undefined
          ? {}
          : { 'mcp-protocol-version': revision, 'mcp-method': String(sent.method), 'mcp-name': 'echo' };
      const { status, json } = await send(sent, { headers });
      if (status === 202) return json === undefined;
      const isAnswer = json !== undefined && 'result' in json !== 'error' in json;
      return status < 500 && isAnswer && json.error?.code !== -32_603;
    }),
    { numRuns: 300 },
  );
  t.pass();
});

test('refuses GET and DELETE, because there are no streams and no sessions', async (t) => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers, json } = await send(undefined, { method });
    t.is(status, 405, method);
    t.is(headers.get('allow'), 'POST, OPTIONS');
    t.is(json?.error?.data?.['code'], 'METHOD_NOT_ALLOWED');
  }
});

test('refuses pages of other origins and requests to other hosts', async (t) => {
  for (const origin of [
    'http://evil.example',
    'null',
    `${app.url}x`,
    new URL(app.url).origin.replace('http', 'https'),
  ]) {
    const { status, json } = await send(ping, { headers: { origin } });
    t.is(status, 403, origin);
    t.is(json?.error?.data?.['code'], 'ORIGIN_NOT_ALLOWED');
  }
  t.is((await send(ping, { headers: { origin: new URL(app.url).origin } })).status, 200);
  const toHost = async (host: string) => {
    const headers = { host, 'content-type': 'application/json' };
    return (await rawRequest(app.url, { headers, body: JSON.stringify(ping) })).status;
  };
  for (const host of ['evil.example', 'localhost.evil.example', '1.2.3.4.evil.example:80']) {
    t.is(await toHost(host), 403, host);
  }
  // Proxies send the address by which they reach the gateway. No page can be at these names without being there.
  for (const host of ['10.0.0.5:8402', '127.0.0.1', '[::1]:8402', 'localhost:8402'])
    t.is(await toHost(host), 200, host);
});

test('answers a call without admission with its HTTP status, before any tool runs', async (t) => {
  const { status, json } = await send(call({}), { headers: { authorization: 'none' } });
  t.is(status, 401);
  t.like(json?.error, { code: -32_000, data: { code: 'UNAUTHENTICATED' } });
});

test('a refusal is a result with a remedy; an internal error reveals nothing', async (t) => {
  const refused = await send(call({ fail: 'refusal' }));
  t.is(refused.status, 200);
  t.true(refused.json?.result?.isError);
  t.is(refused.json?.result?.structuredContent, undefined);
  t.like(refusalOf(refused), { code: 'NOT_FOUND', message: 'there is no such thing', remedy: 'Look elsewhere.' });
  t.is(refusalOf(refused).requestId, headerOf(refused, 'x-request-id'));
  const failed = await send(call({ fail: 'fault' }));
  t.is(refusalOf(failed).code, 'INTERNAL');
  t.false(JSON.stringify(failed.json).includes('hunter2'));
});

test('the tool refuses arguments that two parsers could read differently', async (t) => {
  for (const value of ['0.99999999999999999999', '9007199254740993', '9007199254740991.4', '-0', '"\\u0000"']) {
    const args = `{"a":${value}}`;
    const answer = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}}}`,
    );
    t.is(answer.status, 200);
    t.true(answer.json?.result?.isError, args);
    t.like(refusalOf(answer), { code: 'INVALID_JSON' });
    t.regex(refusalOf(answer).message, /^\/a: /, args);
  }
});

test('arguments are an object, other members reach the tool, and the text repeats the structured content', async (t) => {
  const meta = { 'a/b': { c: '1' } };
  for (const [params, expected] of [
    [{}, { args: {} }],
    [{ _meta: meta }, { args: {}, meta }],
    [{ arguments: { a: ['1', true, null] } }, { args: { a: ['1', true, null] } }],
  ]) {
    const answer = await send({ ...ping, method: 'tools/call', params: { name: 'echo', ...params } });
    t.deepEqual(answer.json?.result?.structuredContent, expected);
    t.deepEqual(JSON.parse(textOf(answer)), expected);
  }
});

test.serial('failures with any status count against their sender; successful answers do not', async (t) => {
  const before = app.counted();
  await send(ping);
  await send(call({}));
  t.is(app.counted(), before);
  await send('{');
  await send(call({ fail: 'refusal' }));
  await send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } });
  t.is(app.counted(), before + 3);
});
