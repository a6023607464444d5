import test from 'ava';
import { Type } from 'typebox';
import { ORDER, REFUND, TABLE } from '../../../gateway/verified/catalogue-examples.ts';
import { PLAN_TEXT } from '../../../gateway/verified/plan-text-examples.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CreatePlanAnswer } from '../../../services/verification/contract/answers.ts';
import { CreateTableAnswer } from '../../../services/verification/contract/catalogue.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { MAX_TABLE_BYTES } from '../../../workers/exact/plan-schema.ts';
import { connectTools } from '../../kit/tool-client.ts';
import { useVerifiedStack } from './verified-stack.ts';

const readCreated = createReader(CreatePlanAnswer, 'the plan');
const readTable = createReader(CreateTableAnswer, 'the table');
const readError = createReader(
  Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(Type.Array(Type.Object({ line: Type.Integer() }))),
    }),
  }),
  'the error',
);

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('catalogue');
for (const tool of [ORDER, REFUND]) await tenant.approver.post('/api/v1/tools', { tool });
test.after.always(() => stack.stop());

interface Sent {
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
}

const ask = (method: string, path: string, { body, type, accept }: Sent = {}) =>
  fetch(`${stack.urls[0]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tenant.keys.agent}`,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(accept === undefined ? {} : { accept }),
    },
    ...(body === undefined ? {} : { body }),
  });
const propose = (plan: object) =>
  ask('POST', '/api/v1/plans', { body: JSON.stringify(plan), type: 'application/json' });
const upload = (body: string, type = 'application/jsonl') => ask('POST', '/api/v1/tables', { body, type });

test('a plan of text is read as JSON, or as Markdown if the caller prefers it', async (t) => {
  const created = await propose({ plan_text: PLAN_TEXT });
  t.is(created.status, 201);
  const { plan_id, plan_hash, plan } = readCreated(await created.json());
  t.like(plan, { plan_format: 2 });
  const path = `/api/v1/plans/${plan_id}`;
  t.like(await (await ask('GET', path)).json(), { plan_hash, approvals: { needed: 1, given: [] } });
  const view = await ask('GET', path, { accept: 'text/markdown' });
  t.is(view.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const markdown = await view.text();
  t.regex(markdown, /^# Plan `Refund order A1`/);
  t.true(markdown.includes(plan_hash));
});

test('every fault of a text is in the details of the error, over HTTP and as a tool', async (t) => {
  const text = PLAN_TEXT.replace('<= cap', '<= cup').replace('times: 1..2', 'times: x');
  const refused = await propose({ plan_text: text });
  t.is(refused.status, 422);
  const { error } = readError(await refused.json());
  t.is(error.code, 'MALFORMED_INPUT');
  t.regex(error.message, /^\/plan_text: line \d+, column \d+: /);
  const lines = defined(error.details).map(({ line }) => line);
  for (const line of [10, 19]) t.true(lines.includes(line), String(lines));
  const { client } = await connectTools({ origin: stack.urls[0], key: tenant.keys.agent });
  const result = await client.callTool({ name: 'svc_create_plan', arguments: { plan_text: text } });
  t.true(result.isError);
  t.true(JSON.stringify(result.content).includes('details'));
  await client.close();
});

test('a table of more than 8 MiB is uploaded, and one of more than 16 MiB is not', async (t) => {
  const row = `{"key":"${'x'.repeat(1000)}"}\n`;
  const large = row.repeat(Math.floor((9 * 1024 * 1024) / row.length));
  const uploaded = await upload(large);
  t.is(uploaded.status, 201, await uploaded.clone().text());
  const { sha256, size } = readTable(await uploaded.json());
  t.is(size, large.length);
  const read = await ask('GET', `/api/v1/tables/${sha256}`);
  t.is(read.headers.get('content-type'), 'application/jsonl');
  t.is(await read.text(), large);
  const larger = await upload('x'.repeat(MAX_TABLE_BYTES + 1)).catch(() => undefined);
  t.true(larger === undefined || larger.status === 413);
});

test('a table is JSON lines, and other endpoints take JSON alone', async (t) => {
  t.is((await upload(TABLE)).status, 201);
  const json = await upload(TABLE, 'application/json');
  t.is(json.status, 415);
  t.regex(await json.text(), /send Content-Type: application\/jsonl/);
  const other = await ask('POST', '/api/v1/select', { body: TABLE, type: 'application/jsonl' });
  t.is(other.status, 415);
  const wrong = await upload('{"a":1}\n{"b":1}\n');
  t.is(wrong.status, 422);
  t.like(await wrong.json(), { error: { message: 'the table in line 2 has other columns than line 1' } });
});

test('an unknown table is named with the way to upload it', async (t) => {
  const refused = await propose({ plan_text: PLAN_TEXT, tables: { 'a.jsonl': 'ab'.repeat(32) } });
  const { error } = readError(await refused.json());
  t.like(error, { code: 'UNKNOWN_TABLE' });
  t.regex(error.message, /POST \/api\/v1\/tables/);
});
