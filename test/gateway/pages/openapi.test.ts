import { readFileSync } from 'node:fs';
import test from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { CORS_HEADERS } from '../../../gateway/http/cors.ts';
import { toPaidTool } from '../../../gateway/mcp/paid/paid-tool.ts';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { createJsonReader, createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { POSITIVE_AMOUNT_PATTERN } from '../../../services/ledger/contract/trial-terms.ts';
import { PUBLIC_CODES } from '../../../services/platform/errors/code-lists.ts';
import { ERROR_CODES, type ErrorCode } from '../../../services/platform/errors/error-codes.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { resolveReferences } from '../../kit/resolve-references.ts';

const Described = Type.Object({
  requestBody: Type.Optional(
    Type.Object({ content: Type.Record(Type.String(), Type.Object({ schema: Type.Object({}) })) }),
  ),
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Array(Type.String())))),
  'x-payment-info': Type.Optional(Type.Unknown()),
  parameters: Type.Optional(Type.Array(Type.Object({ name: Type.String(), in: Type.String() }))),
  responses: Type.Record(
    Type.String(),
    Type.Object({
      description: Type.String(),
      headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});
/** Agentcash Discovery 1, section 7. */
const readPaymentInfo = createReader(
  Type.Object({
    price: Type.Object({
      mode: Type.Literal('fixed'),
      currency: Type.Literal('USD'),
      amount: Type.String({ pattern: '^(0|[1-9][0-9]*)\\.[0-9]{2,6}$' }),
    }),
    protocols: Type.Array(Type.Object({ x402: Type.Object({}) })),
  }),
  'x-payment-info',
);
const readDocument = createReader(
  Type.Object({
    info: Type.Object({
      contact: Type.Object({ name: Type.String() }),
      license: Type.Object({ identifier: Type.String() }),
    }),
    components: Type.Object({ securitySchemes: Type.Record(Type.String(), Type.Unknown()) }),
    paths: Type.Record(Type.String(), Type.Record(Type.String(), Described)),
  }),
  'openapi.json',
);

const parsePackage = createJsonReader(Type.Object({ license: Type.String() }), 'package.json');

// `npm run generate` writes this file. Another test compares it with the document that the gateway serves.
const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
const document = readDocument(resolveReferences(JSON.parse(text)));
const routeOf = (path: string) => defined(document.paths[path]?.['post']);
const operationRoutes = operations.map(({ path }) => routeOf(path));
const allRoutes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => [`${method} ${path}`, described] as const),
);

/** Codes that operations never answer with. They belong to unknown paths, tool endpoints and verified execution. */
const ELSEWHERE: readonly ErrorCode[] = [
  'NOT_FOUND',
  'ORIGIN_NOT_ALLOWED',
  'IDEMPOTENCY_KEY_REQUIRED',
  'UNAUTHENTICATED',
  'ROLE_NOT_ALLOWED',
  'APPROVAL_NOT_ALLOWED',
  'KEY_NOT_OWNER',
  'IDEMPOTENCY_KEY_REUSED',
  'ALREADY_DONE',
  'PLAN_HASH_MISMATCH',
  'PLAN_NOT_APPROVED',
  'PLAN_CLOSED',
  'STEP_OUT_OF_ORDER',
  'EXECUTION_CLOSED',
  'IDENTITY_REUSED',
  'EVIDENCE_REUSED',
  'SHEET_EXISTS',
  'TOO_MANY_SHEETS',
  'TOOL_EXISTS',
  'TOO_MANY_TOOLS',
  'TOO_MANY_TABLES',
  'UNKNOWN_TABLE',
  'UNKNOWN_TOOL',
  'MALFORMED_INPUT',
  'PLAN_VACUOUS',
  'EFFECT_UNDERSTATED',
  'TOOL_NAME_CONFUSABLE',
  'IDENTITY_MISPLACED',
  'SHEET_VACUOUS',
  'EVIDENCE_REJECTED',
  'REVENUE_WRITES_FROZEN',
];

test('the statuses of an operation are those of its error codes, with 200 and 402', (t) => {
  const codes = PUBLIC_CODES.filter((code) => !ELSEWHERE.includes(code));
  const statuses = new Set(['200', '402', ...codes.map((code) => String(ERROR_CODES[code].http))]);
  for (const route of operationRoutes) t.deepEqual(Object.keys(route.responses).toSorted(), [...statuses].toSorted());
});

test('the document is small enough for an agent to read', (t) => {
  t.true(text.length < 250_000, `${text.length}`);
});

test('the license is that of the package', (t) => {
  const { license } = parsePackage(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  t.is(document.info.license.identifier, license);
});

test('an operation says of each failure that a paid call may repeat that a trial stops', (t) => {
  for (const { responses } of operationRoutes) {
    for (const status of ['408', '429', '500', '502', '503', '504']) {
      t.regex(String(responses[status]?.description), /A trial stops: neither send the proof again nor pay/, status);
    }
  }
});

test('every route lists the statuses of failures that precede routing', (t) => {
  for (const [name, { responses }] of allRoutes) {
    for (const status of ['405', '408', '429', '431', '500', '503']) t.true(status in responses, `${name}: ${status}`);
  }
});

test('every request header that an operation reads is a parameter, or that of the sign-in', (t) => {
  for (const route of operationRoutes) {
    const names = defined(route.parameters)
      .filter((one) => one.in === 'header')
      .map(({ name }) => name);
    t.deepEqual(names.toSorted(), ['PAYMENT-SIGNATURE', 'X-PAYMENT']);
  }
});

test('429 and 503 have Retry-After, and 405 has Allow', (t) => {
  for (const [name, { responses }] of allRoutes) {
    for (const status of ['429', '503'])
      t.true('retry-after' in defined(responses[status]?.headers), `${name}: ${status}`);
    t.true('allow' in defined(responses['405']?.headers), name);
  }
});

test('a page of another origin can read every header that an answer may have', (t) => {
  const exposed = new Set(CORS_HEADERS['access-control-expose-headers'].toLowerCase().split(','));
  for (const [name, { responses }] of allRoutes) {
    const headers = Object.values(responses).flatMap((response) => Object.keys(response.headers ?? {}));
    for (const header of headers) t.true(exposed.has(header.toLowerCase()), `${name}: ${header}`);
  }
});

test('directories of x402 find the exact price of every operation, and of nothing else', (t) => {
  for (const { path, priceMicroUsd } of operations) {
    const { 'x-payment-info': info, security } = routeOf(path);
    const { price, protocols } = readPaymentInfo(info);
    t.is(BigInt(Math.round(Number(price.amount) * 1e6)), priceMicroUsd, path);
    t.deepEqual(protocols, [{ x402: {} }]);
    t.deepEqual(security, [{}, { siwx: [] }]);
  }
  const paid = allRoutes.filter(([, route]) => 'x-payment-info' in route).map(([name]) => name);
  t.deepEqual(paid.toSorted(), operations.map(({ path }) => `post ${path}`).toSorted());
});

test('every route says which sign-in it needs, and the schemes are described', (t) => {
  for (const [name, { security }] of allRoutes) {
    const schemes = defined(security).flatMap((requirement) => Object.keys(requirement));
    for (const scheme of schemes) t.true(scheme in document.components.securitySchemes, name);
  }
  t.like(document.components.securitySchemes['siwx'], {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    'x-agentcash-auth-kind': 'siwx',
  });
});

test('every 401 for a missing API key has WWW-Authenticate', (t) => {
  const keyed = allRoutes.filter(([, { security }]) => security?.some((requirement) => 'apiKey' in requirement));
  t.true(keyed.length > 20);
  for (const [name, { responses }] of keyed) {
    t.true('www-authenticate' in defined(responses['401']?.headers), name);
  }
});

test('tool endpoints list the statuses of the protocol', (t) => {
  const tools = allRoutes.filter(([name]) => name.endsWith('/mcp'));
  t.is(tools.length, 2);
  for (const [name, { responses }] of tools)
    for (const status of ['200', '202', '400', '403', '404', '405', '413', '415', '417'])
      t.true(status in responses, `${name}: ${status}`);
});

test('the document and the tool require both fields of the bias together', (t) => {
  const pair = { biasLatitude: ['biasLongitude'], biasLongitude: ['biasLatitude'] };
  t.like(defined(routeOf(geocode.path).requestBody?.content['application/json']).schema, { dependentRequired: pair });
  const tool = toPaidTool(geocode, { access: { handle: () => Promise.reject() }, countPaid: () => {} });
  t.like(tool.inputSchema, { dependentRequired: pair });
});

test('the schema of a quote allows neither zero nor a leading zero', (t) => {
  const quote = Compile(Type.String({ pattern: POSITIVE_AMOUNT_PATTERN }));
  t.deepEqual(
    ['14000', '0', '014000', '-1', '1.5'].map((amount) => quote.Check(amount)),
    [true, false, false, false, false],
  );
});

test('the document names a contact', (t) => {
  t.is(document.info.contact.name, 'Operator of 127.0.0.1:8402');
});
