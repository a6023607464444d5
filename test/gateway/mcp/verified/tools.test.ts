import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { createVerifiedClients } from '../../../../gateway/clients/verified-clients.ts';
import { UNLIMITED } from '../../../../gateway/http/rate-limit.ts';
import { createPaidMcp } from '../../../../gateway/mcp/paid/paid-mcp.ts';
import type { McpEndpoint } from '../../../../gateway/mcp/register-mcp.ts';
import { PLAN_GUIDE } from '../../../../gateway/mcp/verified/plan-guide.ts';
import { createVerifiedMcp, verifiedTools } from '../../../../gateway/mcp/verified/verified-mcp.ts';
import { operations } from '../../../../gateway/operations/index.ts';
import { ORDER, REFUND } from '../../../../gateway/verified/catalogue-examples.ts';
import { PLAN_TEXT } from '../../../../gateway/verified/plan-text-examples.ts';
import { createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { readTool } from '../../../../services/verification/catalogue/tool-document.ts';
import { TOOL_NAMES } from '../../../../services/verification/contract/tools.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { PURE_TOOLS } from '../../../../workers/plan/pure-tools.ts';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import { startToolApp } from '../tool-app.ts';

let unsigned = 0;
const endpoint = createVerifiedMcp({
  clients: createVerifiedClients({ verification: 'unix:/nowhere.sock', jobs: 'unix:/nowhere.sock' }).clients,
  countVerdict: () => undefined,
  limiter: {
    ...UNLIMITED,
    count: async () => {
      unsigned += 1;
    },
  },
});
const { tools } = endpoint;

const readInputSchema = createReader(
  Type.Object({
    properties: Type.Record(Type.String(), Type.Object({ description: Type.Optional(Type.String()) })),
    required: Type.Array(Type.String()),
  }),
  'the input schema of a tool',
);

/** Each listed tool, with its definition and the parts of its input schema. */
const listed = tools.map((tool, index) => {
  const { properties, required } = readInputSchema(tool.inputSchema);
  return { tool, written: defined(verifiedTools[index]), properties, required };
});

test('lists the tools of the status document, in its order', (t) => {
  t.deepEqual(
    tools.map(({ name }) => name),
    [...TOOL_NAMES],
  );
});

test('the example of every tool matches its listed schema and the schema of its endpoint', (t) => {
  for (const { tool, written } of listed) {
    t.deepEqual(Compile(tool.inputSchema).Errors(written.example), [true, []], tool.name);
    t.deepEqual(tool.inputSchema['examples'], written.listsExample && [written.example], tool.name);
    t.deepEqual(Compile(defined(tool.outputSchema)).Errors(written.endpoint.answer.example), [true, []], tool.name);
  }
});

test('every argument is described once, in the schema or by the tool with the same arguments', (t) => {
  for (const { tool, written, properties } of listed) {
    if (written.argumentsLike !== undefined) {
      t.true(tool.description.includes(written.argumentsLike), tool.name);
      const same = listed.find(({ tool: { name } }) => name === written.argumentsLike);
      t.deepEqual(Object.keys(properties), Object.keys(defined(same).properties), tool.name);
      continue;
    }
    const { args = {} } = written;
    for (const name of Object.keys(args)) t.true(name in properties, `${tool.name} ${name}`);
    for (const [name, { description }] of Object.entries(properties)) {
      t.truthy(description, `${tool.name} ${name}`);
      t.false(tool.description.includes(defined(description)), `${tool.name} ${name}`);
    }
  }
});

test('a listed schema has the structure of arguments and the outline of answers', (t) => {
  const inputs = new Map(listed.map(({ tool, properties }) => [tool.name, properties]));
  t.like(inputs.get('svc_record_execution')?.['actions'], {
    type: 'array',
    items: {
      properties: { step_id: { type: 'string' } },
      required: ['step_id', 'tool', 'tool_version', 'args', 'started_at', 'ended_at'],
    },
  });
  const { outputSchema } = defined(tools.find(({ name }) => name === 'svc_verify_execution'));
  t.like(outputSchema, {
    properties: { state: { enum: ['recorded', 'evidence_submitted', 'verified', 'refuted'] }, verdicts: {} },
  });
});

test('schemas describe objects, are closed, and have no unions at their root', (t) => {
  for (const { tool } of listed) {
    t.is(tool.inputSchema['additionalProperties'], false, tool.name);
    for (const { type, ...schema } of [tool.inputSchema, defined(tool.outputSchema)]) {
      t.is(type, 'object', tool.name);
      for (const word of ['anyOf', 'oneOf', 'allOf']) t.false(word in schema, `${tool.name} ${word}`);
    }
  }
});

test('requires the ids of paths, and the key if HTTP requires it', (t) => {
  for (const { tool, written, required } of listed) {
    const ids = [...written.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name));
    for (const id of ids) t.true(required.includes(id), `${tool.name} ${id}`);
    t.is(required.includes('idempotency_key'), written.endpoint.idempotencyKey === 'required', tool.name);
  }
});

test('a listed schema requires the arguments that its endpoint requires, in each form of the body', (t) => {
  for (const { tool, written } of listed) {
    const { endpoint: described, example, textArgument } = written;
    const body = Compile(written.body ?? described.request?.schema ?? Type.Object({}));
    const ids = [...described.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name));
    const others = [...ids, 'idempotency_key'];
    const isComplete = (args: Readonly<Record<string, unknown>>) =>
      ids.every((id) => id in args) &&
      (described.idempotencyKey !== 'required' || 'idempotency_key' in args) &&
      body.Check(Object.fromEntries(Object.entries(args).filter(([name]) => !others.includes(name))));
    const schema = Compile(tool.inputSchema);
    const fixed = Object.entries(example).filter(([name]) => others.includes(name));
    const bodies = textArgument === undefined ? (described.request?.examples ?? []) : [];
    for (const form of [example, ...bodies.map((one) => ({ ...Object.fromEntries(fixed), ...Object(one) }))]) {
      t.true(schema.Check(form), tool.name);
      for (const left of [...Object.keys(form), undefined]) {
        const args = Object.fromEntries(Object.entries(form).filter(([name]) => left !== undefined && name !== left));
        t.is(schema.Check(args), isComplete(args), `${tool.name} without ${left ?? 'arguments'}`);
      }
    }
  }
});

test('tools with an idempotency key are hinted as writes, and tools that require one as idempotent', (t) => {
  for (const { tool, written } of listed) {
    const { idempotencyKey, method } = written.endpoint;
    t.is(tool.annotations?.readOnlyHint, idempotencyKey === undefined, tool.name);
    if (method === 'GET') t.true(tool.annotations?.readOnlyHint, tool.name);
    if (idempotencyKey === undefined) t.false('idempotentHint' in defined(tool.annotations), tool.name);
    else t.like(tool.annotations, { idempotentHint: idempotencyKey === 'required' }, tool.name);
  }
  const destructive = tools
    .filter(({ annotations = {} }) => 'destructiveHint' in annotations && annotations.destructiveHint)
    .map(({ name }) => name);
  t.deepEqual(destructive, ['svc_approve_plan']);
});

test('the example of a plan compiles, and the guide names every present pure tool and every part of a plan', (t) => {
  const tools = [ORDER, REFUND].map((tool) => readTool(tool, '').tool);
  const { plan, faults } = compilePlan(PLAN_TEXT, { tools, tables: new Map() });
  t.deepEqual(faults, undefined);
  t.is(plan?.title, 'Refund order A1');
  for (const [ref, { replacedBy }] of PURE_TOOLS) t.is(PLAN_GUIDE.includes(ref), replacedBy === undefined, ref);
  const parts = ['plan', 'expires', 'executions', 'recorded', 'approvals', 'supersedes', 'tables', 'given', 'state'];
  for (const part of [...parts, 'tools', 'steps', 'rules', 'tool', 'times', 'where', 'after', 'effects', 'evidence'])
    t.regex(PLAN_GUIDE, new RegExp(`\\b${part}\\b`), part);
});

test('every expression that the guide shows is one of the language', (t) => {
  const rows = [{ invoice: 'a', amount: '1.00' }];
  const text = (rule: string) => `plan: A
expires: 2099-12-31T00:00:00Z
recorded: 9
given: { k: "a", cond: true }
state: { refundable: 80.00, sent: "map(string(64), int, default 0)" }
tables: { approved: { key: invoice, columns: { invoice: string(64), amount: decimal(2) }, rows: ${JSON.stringify(rows)} } }
steps:
  look: { tool: order.get@1, times: 0..2, where: args.order in approved }
  pay: { tool: pay.refund@2, times: 0..2, after: { look: if_done }, effects: { "sent[args.order]": "state.sent[args.order] + 1" } }
rules: { one: '${rule}' }
`;
  const tools = [ORDER, REFUND].map((tool) => readTool(tool, '').tool);
  for (const rule of [
    'sum(pay, p, p.amount) + sum(pay, p, p.amount, cond) <= 10.00',
    'count(pay, p, cond) == 1',
    'pay.all(p, cond) && pay.exists(p, cond)',
    'least(pay, p, p.amount) < greatest(pay, p, p.amount)',
    'unique(pay, p, p.order)',
    'pay.all(p, look.exists(l, before(l, p)))',
    'pay.all(p, p.started_at - approved_at <= duration("24h") && p.ended_at < timestamp("2099-01-01T00:00:00Z"))',
    'k in approved && approved[k].amount > 0.00 && approved.all(r, r.amount > 0.00)',
    'state.sent[k] <= 3',
    'approvals >= 2 && approved_by("group")',
  ]) {
    t.deepEqual(compilePlan(text(rule), { tools, tables: new Map() }).faults, undefined, rule);
  }
});

/** The text of a `tools/list` result. */
async function listTools<Context>(t: ExecutionContext, served: McpEndpoint<Context>): Promise<string> {
  const app = await startToolApp(served);
  t.teardown(() => app.close());
  const response = await fetch(app.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  t.is(response.status, 200);
  return response.text();
}

test.serial('listing the tools without a key counts against the address', async (t) => {
  await listTools(t, endpoint);
  t.is(unsigned, 1);
});

test.serial('both endpoints together list their tools in at most 8,500 tokens', async (t) => {
  const paid = createPaidMcp({
    boundsNetworks: false,
    operations,
    access: { handle: () => Promise.reject() },
    countPaid: () => undefined,
    limiter: UNLIMITED,
  });
  const characters = (await listTools(t, endpoint)).length + (await listTools(t, paid)).length;
  // No tokenizer is installed. JSON in English has about four characters per token.
  t.true(characters / 4 <= 8500, `${characters / 4} tokens`);
  t.true(characters / 4 > 4000);
});
