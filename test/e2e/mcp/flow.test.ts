import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { TOOL_NAMES } from '../../../services/verification/contract/tools.ts';
import { headerOf, post as postTo } from '../../kit/client.ts';
import { untilMetrics } from '../../kit/metrics.ts';
import { connectTools } from '../../kit/tool-client.ts';
import { describeRefund, INTENTS, PLAN } from '../verified/refund.ts';
import { useVerifiedStack } from '../verified/verified-stack.ts';

const stack = await useVerifiedStack();
const mine = await stack.addTenant('mine');
await describeRefund(mine.approver);
const [origin] = stack.urls;
const agent = await connectTools({ origin, key: mine.keys.agent });
const approver = await connectTools({ origin, key: mine.keys.approver, revision: 'auto' });
test.after.always(() => stack.stop());

const newKey = () => ({ idempotency_key: randomUUID() });

/** What names a plan in later calls. */
const PlanRef = Type.Object({ plan_id: Type.String(), plan_hash: Type.String() });
type PlanRef = Type.Static<typeof PlanRef>;
const readPlanRef = createReader(PlanRef, 'the created plan');

async function proposePlan(): Promise<PlanRef> {
  const { plan_id, plan_hash } = await agent.read(PlanRef, 'svc_create_plan', { plan: PLAN, ...newKey() });
  return { plan_id, plan_hash };
}

async function approvedPlan(): Promise<PlanRef> {
  const plan = await proposePlan();
  await approver.call('svc_approve_plan', { ...plan, ...newKey() });
  return plan;
}

test('counts the verdicts of tools', async (t) => {
  const plan = await approvedPlan();
  await agent.call('svc_verify_plan_alignment', { ...plan, mode: 'complete', actions: INTENTS.slice(1) });
  const counted = /tollhouse_verdicts_total\{check="plan_alignment",verdict="violated"\} [1-9]/;
  await t.notThrowsAsync(untilMetrics(stack, counted));
});

interface Asked {
  readonly key?: string;
  readonly idempotencyKey?: string;
}

const post = (path: string, body: unknown, { key, idempotencyKey }: Asked = {}) =>
  postTo(origin + path, body, {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  });

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

test('a tool replays a write over HTTP, and HTTP replays a write by a tool', async (t) => {
  const [first, second] = [randomUUID(), randomUUID()];
  const written = await post('/api/v1/plans', { plan: PLAN }, { key: mine.keys.agent, idempotencyKey: first });
  // The same request with other white space and with its members in another order.
  const plan = Object.fromEntries(Object.entries(PLAN).reverse());
  const again = await agent.client.callTool({
    name: 'svc_create_plan',
    arguments: { idempotency_key: first, plan },
  });
  t.deepEqual(again.structuredContent, written.json);
  t.like(again._meta, { 'idempotency-replayed': true });

  const { plan_id, plan_hash } = readPlanRef(written.json);
  const approved = await approver.client.callTool({
    name: 'svc_approve_plan',
    arguments: { plan_id, plan_hash, idempotency_key: second },
  });
  t.is(approved._meta?.['idempotency-replayed'], undefined);
  const path = `/api/v1/plans/${plan_id}/approve`;
  const repeated = await post(path, { plan_hash }, { key: mine.keys.approver, idempotencyKey: second });
  t.is(repeated.headers.get('idempotency-replayed'), 'true');
  t.deepEqual(repeated.json, approved.structuredContent);
});

test('wrong arguments are errors of the tool, with a pointer to the argument', async (t) => {
  const plan = await proposePlan();
  for (const [name, args, code, where] of [
    ['svc_read_plan', { plan_id: 1 }, 'MALFORMED_INPUT', /^\/plan_id: /],
    ['svc_read_plan', { plan_id: "' OR 1=1" }, 'NOT_FOUND', /no such plan/],
    ['svc_create_plan', { plan: { ...PLAN, steps: [] } }, 'MALFORMED_INPUT', /^\/plan\/steps/],
    ['svc_verify_plan_alignment', { ...plan, passed: true }, 'MALFORMED_INPUT', /./],
    ['svc_verify_execution', { execution_id: plan.plan_id }, 'IDEMPOTENCY_KEY_REQUIRED', /argument idempotency_key/],
    ['svc_verify_execution', { execution_id: plan.plan_id, idempotency_key: 7 }, 'MALFORMED_INPUT', /_key/],
    [
      'svc_verify_execution',
      { execution_id: plan.plan_id, ...newKey(), state: 'verified' },
      'MALFORMED_INPUT',
      /state/,
    ],
  ] as const) {
    const refusal = await agent.refusal(name, args);
    t.is(refusal.code, code, `${name} ${refusal.message}`);
    t.regex(refusal.message, where, name);
    t.truthy(refusal.remedy, name);
  }
});

test('without a key, only the status and lists are available; a wrong key is always refused', async (t) => {
  for (const name of TOOL_NAMES.filter((one) => one !== 'svc_status')) {
    const { status, headers } = await post('/api/v1/mcp', message('tools/call', { name, arguments: {} }));
    t.is(status, 401, name);
    t.regex(headerOf({ status, headers }, 'www-authenticate'), /^Bearer/);
  }
  const key = `thk_${'A'.repeat(43)}`;
  for (const method of ['ping', 'tools/list', 'initialize']) {
    const { status, headers, json } = await post('/api/v1/mcp', message(method), { key });
    t.is(status, 401, method);
    t.regex(headerOf({ status, headers }, 'www-authenticate'), /^Bearer/);
    t.like(json, { jsonrpc: '2.0', id: null, error: { data: { code: 'UNAUTHENTICATED' } } });
    t.not((await post('/api/v1/mcp', message(method))).status, 401, method);
  }
});
