import test from 'ava';
import { ORDER, REFUND } from '../../../gateway/verified/catalogue-examples.ts';
import { PLAN_TEXT } from '../../../gateway/verified/plan-text-examples.ts';
import { ensureSandboxPlan } from '../../../scripts/launch/sandbox-plan.ts';
import { useVerifiedStack } from '../../e2e/verified/verified-stack.ts';

const stack = await useVerifiedStack();
test.after.always(() => stack.stop());

interface Plans {
  readonly plans: readonly { readonly plan_id: string; readonly plan_hash: string }[];
}

test('a sandbox gets one example to approve, and never another, also if it was approved or the example changed', async (t) => {
  const { agent, approver, keys } = await stack.addTenant('sandbox');
  const ensure = (text: string) => ensureSandboxPlan(stack.urls[0], keys.agent, text);
  const waiting = async () => (await agent.get<Plans>('/api/v1/plans?state=draft')).plans;
  await t.throwsAsync(ensure(PLAN_TEXT), { message: /UNKNOWN_TOOL/ });
  for (const tool of [ORDER, REFUND]) await approver.post('/api/v1/tools', { tool });
  for (const _ of [1, 2]) await ensure(PLAN_TEXT);
  const [plan, ...others] = await waiting();
  t.is(others.length, 0);
  await approver.post(`/api/v1/plans/${plan?.plan_id}/approve`, { plan_hash: plan?.plan_hash });
  for (const text of [PLAN_TEXT, PLAN_TEXT.replace('order A1', 'order A2')]) await ensure(text);
  t.deepEqual(await waiting(), []);
});
