import { readFileSync } from 'node:fs';
import test from 'ava';
import { Compile } from 'typebox/schema';
import { TRIAL_SCHEMA } from '../../../gateway/access/offer/extensions.ts';
import { toPaidTool } from '../../../gateway/mcp/paid/paid-tool.ts';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { PUBLIC_CODES } from '../../../services/platform/errors/code-lists.ts';
import { ERROR_CODES, type ErrorCode } from '../../../services/platform/errors/error-codes.ts';

interface Described {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
}

interface Document {
  readonly info: { readonly contact: { readonly name: string } };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

// As `npm run generate` wrote it; another test compares it with what the gateway serves.
const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Document;
const operationRoutes = operations.map(({ path }) => document.paths[path]?.['post']);
const allRoutes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => [`${method} ${path}`, described] as const),
);

/** Codes that no operation answers with: those of paths that do not exist, of tool endpoints and of verified execution. */
const ELSEWHERE: readonly ErrorCode[] = [
  'NOT_FOUND',
  'ORIGIN_NOT_ALLOWED',
  'IDEMPOTENCY_KEY_REQUIRED',
  'UNAUTHENTICATED',
  'ROLE_NOT_ALLOWED',
  'APPROVAL_NOT_ALLOWED',
  'KEY_NOT_OWNER',
  'IDEMPOTENCY_KEY_REUSED',
  'PLAN_HASH_MISMATCH',
  'PLAN_NOT_APPROVED',
  'PLAN_CLOSED',
  'STEP_OUT_OF_ORDER',
  'EXECUTIONS_EXHAUSTED',
  'EXECUTION_CLOSED',
  'IDENTITY_REUSED',
  'EVIDENCE_REUSED',
  'SHEET_EXISTS',
  'TOO_MANY_SHEETS',
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
  for (const route of operationRoutes)
    t.deepEqual(Object.keys(route?.responses ?? {}).toSorted(), [...statuses].toSorted());
});

test('every route lists the statuses of failures before any route', (t) => {
  for (const [name, { responses }] of allRoutes) {
    for (const status of ['405', '408', '429', '431', '500', '503']) t.true(status in responses, `${name}: ${status}`);
  }
});

test('every request header that an operation reads is a parameter', (t) => {
  for (const route of operationRoutes) {
    const names = (route?.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
    t.deepEqual(names.toSorted(), ['PAYMENT-SIGNATURE', 'SIGN-IN-WITH-X', 'X-PAYMENT']);
  }
});

test('answers that say when to come back have Retry-After, and 405 has Allow', (t) => {
  for (const [name, { responses }] of allRoutes) {
    for (const status of ['429', '503'])
      t.true('retry-after' in (responses[status]?.headers ?? {}), `${name}: ${status}`);
    t.true('allow' in (responses['405']?.headers ?? {}), name);
  }
});

test('every 401 for a missing API key has WWW-Authenticate', (t) => {
  const keyed = allRoutes.filter(([, { security = [] }]) => security.length > 0);
  t.true(keyed.length > 20);
  for (const [name, { responses }] of keyed) {
    t.true('www-authenticate' in (responses['401']?.headers ?? {}), name);
  }
});

test('tool endpoints have the statuses that the protocol answers with', (t) => {
  const tools = allRoutes.filter(([name]) => name.endsWith('/mcp'));
  t.is(tools.length, 2);
  for (const [name, { responses }] of tools)
    for (const status of ['200', '202', '400', '403', '404', '405', '413', '415', '417'])
      t.true(status in responses, `${name}: ${status}`);
});

test('the bias is a pair in the document and in the arguments of the tool', (t) => {
  const pair = { biasLatitude: ['biasLongitude'], biasLongitude: ['biasLatitude'] };
  const route = document.paths[geocode.path]?.['post'];
  t.like(route?.requestBody?.content['application/json'].schema, { dependentRequired: pair });
  const tool = toPaidTool(geocode, { access: { handle: () => Promise.reject() }, countPaid: () => {} });
  t.like(tool.inputSchema, { dependentRequired: pair });
});

test('the schema of a quote allows neither zero nor a leading zero', (t) => {
  const quote = Compile(TRIAL_SCHEMA.properties.quotedAmountAtomic);
  t.deepEqual(
    ['14000', '0', '014000', '-1', '1.5'].map((amount) => quote.Check(amount)),
    [true, false, false, false, false],
  );
});

test('the document names a contact', (t) => {
  t.is(document.info.contact.name, 'Operator of 127.0.0.1:8402');
});
