import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Compile } from 'typebox/schema';
import { verifiedTools } from '../../../gateway/mcp/verified/verified-mcp.ts';
import * as catalogue from '../../../gateway/verified/catalogue-examples.ts';
import type { Endpoint } from '../../../gateway/verified/endpoint.ts';
import { createPlan, PLAN } from '../../../gateway/verified/examples.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import { explainPlan } from '../../../gateway/verified/plan-text-examples.ts';
import type { Plan } from '../../../scripts/cli/try/flow-calls.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { connectTools, type ToolClient } from '../../kit/tool-client.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import { nowText } from './refund.ts';
import { type TestTenant, useVerifiedStack } from './verified-stack.ts';

const stack = await useVerifiedStack();
test.after.always(() => stack.stop());

/** Operations in an order in which each finds the records that it names. */
const ORDER = [
  'verified_create_tool',
  'verified_list_tools',
  'verified_get_tool',
  'verified_create_plan',
  'verified_list_plans',
  'verified_approve_plan',
  'verified_get_plan',
  'verified_preflight_action',
  'verified_reserve_action',
  'verified_release_reservation',
  'verified_check_plan_alignment',
  'verified_check_constraints',
  'verified_record_execution',
  'verified_submit_evidence',
  'verified_verify_execution',
  'verified_get_execution',
  'verified_list_executions',
  'verified_get_records',
  'verified_get_artifact',
  'verified_get_verification',
  'verified_get_query',
  'verified_get_proof',
  'verified_list_proofs',
  'verified_get_log_keys',
  'verified_get_log_checkpoint',
  'verified_get_log_consistency',
  'verified_get_job',
  'verified_cancel_job',
  'verified_exact_select',
  'verified_create_sheet',
  'verified_list_sheets',
  'verified_get_sheet',
  'verified_compose_sheets',
  'verified_create_table',
  'verified_get_table',
  'verified_list_users',
  'verified_get_status',
  'verified_withdraw_approval',
  'verified_reject_plan',
];
/** Operations whose answer is always the same apart from ids, hashes and times. */
const FIXED = new Set([
  'verified_create_plan',
  'verified_list_plans',
  'verified_approve_plan',
  'verified_get_plan',
  'verified_check_plan_alignment',
  'verified_check_constraints',
  'verified_record_execution',
  'verified_submit_evidence',
  'verified_get_execution',
  'verified_preflight_action',
  'verified_exact_select',
  'verified_create_sheet',
  'verified_get_sheet',
  'verified_compose_sheets',
  'verified_create_tool',
  'verified_get_tool',
  'verified_create_table',
  'verified_withdraw_approval',
  'verified_reject_plan',
]);
const OF_APPROVER = new Set([
  'verified_approve_plan',
  'verified_reject_plan',
  'verified_withdraw_approval',
  'verified_create_tool',
]);
const byId = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));

function compare(t: ExecutionContext, endpoint: Endpoint, answer: unknown, known: Placeholders): void {
  const { operationId } = endpoint;
  const { schema, example } = endpoint.answer;
  t.deepEqual(Compile(schema).Errors(answer), [true, []], operationId);
  if (FIXED.has(operationId)) t.deepEqual(known.blur(answer), known.blur(example), operationId);
  known.learn(example, answer);
}

const keyOf = ({ operationId }: Endpoint, { keys }: TestTenant): string =>
  OF_APPROVER.has(operationId) ? keys.approver : keys.agent;

/** Over HTTP, the view is another form of the plan. */
const placeOf = ({ operationId }: Endpoint): number =>
  ORDER.indexOf(operationId === 'verified_explain_plan' ? 'verified_get_plan' : operationId);

/** An approved plan that says `reserve`, which that of the examples does not. */
async function reservable({ agent, approver }: TestTenant) {
  const plan = { ...PLAN, title: 'With reservations', reserve: 600 };
  const { plan_id, plan_hash } = await agent.post<Plan>('/api/v1/plans', { plan });
  await approver.post(`/api/v1/plans/${plan_id}/approve`, { plan_hash });
  return { plan_id, plan_hash };
}

test('the order names every endpoint', (t) => {
  // A report of a run makes the calls of the others: see report-run.test.ts.
  t.deepEqual([...byId.keys()].toSorted(), [...ORDER, 'verified_report_run'].toSorted());
});

test('the example of every endpoint gets the published status and answer', async (t) => {
  const tenant = await stack.addTenant('examples');
  const known = createPlaceholders(nowText);
  let last: unknown;
  const send = async (endpoint: Endpoint, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const { example } = endpoint.answer;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      defined(known.idOf(name) ?? [example, last].flatMap((each) => (isRecord(each) ? String(each[name]) : []))[0]),
    );
    const query = endpoint.query === undefined ? '' : '?first=0&second=1';
    return fetch(`${stack.urls[0]}${path}${query}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${keyOf(endpoint, tenant)}`,
        ...(endpoint.idempotencyKey === undefined ? {} : { 'idempotency-key': randomUUID() }),
        ...(body === undefined ? {} : { 'content-type': endpoint.request?.type ?? 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(known.fill(body)) }),
    });
  };
  for (const operationId of ORDER) {
    const endpoint = byId.get(operationId);
    if (endpoint === undefined) return t.fail(operationId);
    if (operationId === 'verified_get_job') {
      const verify = byId.get('verified_verify_execution');
      const accepted = verify && (await send(verify, {}, { prefer: 'respond-async' }));
      t.is(accepted?.status, 202);
      known.learn(endpoint.answer.example, await accepted?.json());
    }
    if (operationId === 'verified_reject_plan') {
      const create = defined(byId.get('verified_create_plan'));
      known.learn(create.answer.example, await (await send(create, create.request?.examples[0])).json());
    }
    const [example] = endpoint.request?.examples ?? [];
    const own = operationId === 'verified_reserve_action' ? await reservable(tenant) : undefined;
    const response = await send(endpoint, own === undefined ? example : { ...Object(example), ...own });
    const text = await response.text();
    t.is(response.status, endpoint.status, `${operationId}: ${text}`);
    if (endpoint.answer.type !== undefined) continue;
    last = JSON.parse(text);
    compare(t, endpoint, last, known);
  }
  // The other form of a check needs an execution.
  for (const operationId of ['verified_check_plan_alignment', 'verified_check_constraints']) {
    const endpoint = byId.get(operationId);
    if (endpoint?.request === undefined) return t.fail(operationId);
    for (const example of endpoint.request.examples.slice(1)) {
      const response = await send(endpoint, example);
      t.is(response.status, 200, await response.text());
    }
  }
});

test('the example of every tool gets the published answer', async (t) => {
  const tenant = await stack.addTenant('tool examples');
  const [origin] = stack.urls;
  // Only the approver of a tenant describes tools, not over MCP.
  await tenant.approver.post('/api/v1/tools', { tool: catalogue.REFUND });
  const known = createPlaceholders(nowText);
  const agent = await connectTools({ origin, key: tenant.keys.agent });
  const approver = await connectTools({ origin, key: tenant.keys.approver });
  const clientOf = (endpoint: Endpoint): ToolClient =>
    keyOf(endpoint, tenant) === tenant.keys.approver ? approver : agent;
  const inOrder = verifiedTools.toSorted((one, other) => placeOf(one.endpoint) - placeOf(other.endpoint));
  const created = await agent.call('svc_create_plan', { plan: PLAN });
  known.learn(createPlan.answer, created);
  const planWithReserve = await reservable(tenant);
  await tenant.approver.post('/api/v1/tools', { tool: catalogue.ORDER });
  for (const { name, endpoint, example } of inOrder) {
    if (name === 'svc_create_plan') {
      known.learn({ plan_id: explainPlan.plan_id }, await agent.call(name, example));
      continue;
    }
    const own = name === 'svc_reserve_action' ? planWithReserve : {};
    const args = { ...Object(known.fill(example)), ...own };
    compare(t, endpoint, await clientOf(endpoint).call(name, args), known);
  }
  await agent.client.close();
  await approver.client.close();
});
