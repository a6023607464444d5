import test from 'ava';
import { Compile } from 'typebox/schema';
import { reportRun } from '../../../gateway/verified/report-run.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CreatePlanAnswer } from '../../../services/verification/contract/answers.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { codeOf, headerOf, rawRequest } from '../../kit/client.ts';
import { describeRefund, doneNow, PLAN, receiptOf } from './refund.ts';
import { useVerifiedStack } from './verified-stack.ts';

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('reports');
await describeRefund(tenant.approver);
test.after.always(() => stack.stop());

const readPlan = createReader(CreatePlanAnswer, 'the created plan');

async function approved() {
  const { plan_id, plan_hash } = readPlan(await tenant.agent.post('/api/v1/plans', { plan: PLAN }));
  await tenant.approver.post(`/api/v1/plans/${plan_id}/approve`, { plan_hash });
  return { plan_id, plan_hash };
}

let keys = 0;
async function report(body: object, key = `report-${++keys}`) {
  const answer = await rawRequest(`${stack.urls[0]}/api/v1/runs`, {
    headers: {
      authorization: `Bearer ${tenant.keys.agent}`,
      'content-type': 'application/json',
      ...(key === '' ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  return { answer, value: JSON.parse(answer.text) };
}

const receipt = (payment: string) => {
  const { action_id: _, ...artifact } = receiptOf({ actionIds: ['', ''], payment });
  return { ...artifact, action: 1 };
};
const executions = async ({ plan_id }: { readonly plan_id: string }) =>
  (await tenant.reader.get<{ executions: number }>(`/api/v1/plans/${plan_id}`)).executions;

test('a run is reported in one call, which gives a proof, and once', async (t) => {
  const plan = await approved();
  const body = { ...plan, actions: doneNow('whole'), artifacts: [receipt('whole')] };
  const { answer, value } = await report(body, 'whole');
  t.is(answer.status, 200, answer.text);
  t.deepEqual(Compile(reportRun.answer.schema).Errors(value), [true, []]);
  t.like(value, { stopped_at: null, verification: { state: 'verified' }, evidence: { missing: [] } });
  t.truthy(value.verification.proof_id);
  t.deepEqual((await report(body, 'whole')).value, value);
  t.is(await executions(plan), 1);
  t.is(codeOf((await report({ ...body, actions: doneNow('other') }, 'whole')).answer), 'IDEMPOTENCY_KEY_REUSED');
});

test('a run that a check refuses is not recorded', async (t) => {
  const plan = await approved();
  const [look, pay] = doneNow('refused').map((action) => ({ ...action }));
  const wrong = [defined(look), { ...defined(pay), args: { order_id: 'A1', amount: '30.00' } }];
  const { value } = await report({ ...plan, actions: wrong, artifacts: [] });
  t.like(value, { stopped_at: 'constraints', execution: null, verification: null });
  const other = await report({ ...plan, actions: wrong.slice(1), artifacts: [] });
  t.like(other.value, { stopped_at: 'plan_alignment', checks: { constraints: null } });
  t.is(await executions(plan), 0);
});

test('a run without required evidence is recorded and not verified, and the steps go on from there', async (t) => {
  const plan = await approved();
  const { value } = await report({ ...plan, actions: doneNow('open'), artifacts: [] });
  t.like(value, { stopped_at: 'evidence', evidence: null, verification: null });
  const { execution_id, actions } = value.execution;
  const artifact = receiptOf({
    actionIds: actions.map(({ action_id }: { action_id: string }) => action_id),
    payment: 'open',
  });
  await tenant.agent.post(`/api/v1/executions/${execution_id}/evidence`, { artifacts: [artifact] });
  t.like(await tenant.agent.post(`/api/v1/executions/${execution_id}/verify`, {}), { state: 'verified' });
});

test('a refusal of a step is the answer, and what was done before it stays', async (t) => {
  const plan = await approved();
  const artifacts = [{ ...receipt('half'), kind: 'photo' }];
  const { answer } = await report({ ...plan, actions: doneNow('half'), artifacts }, 'half');
  t.deepEqual([answer.status, codeOf(answer)], [422, 'EVIDENCE_REJECTED']);
  t.is(await executions(plan), 1);
  const again = await report({ ...plan, actions: doneNow('half'), artifacts: [] });
  t.like(again.value, { execution: { state: 'refuted' } });
  t.truthy(headerOf(answer, 'x-request-id'));
});

test('a report needs a key, and artifacts of its actions', async (t) => {
  const plan = await approved();
  const body = { ...plan, actions: doneNow('bad'), artifacts: [{ ...receipt('bad'), action: 2 }] };
  t.is(codeOf((await report({ ...body, artifacts: [] }, '')).answer), 'IDEMPOTENCY_KEY_REQUIRED');
  const { answer } = await report(body);
  t.is(codeOf(answer), 'MALFORMED_INPUT');
  t.regex(answer.text, /\/artifacts\/0\/action: there is no such action/);
  t.is(await executions(plan), 0);
});
