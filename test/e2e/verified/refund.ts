import { createHash } from 'node:crypto';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';
import type { TestTenant } from './verified-stack.ts';

/** A plan that does not expire while there are tests of it. */
export const PLAN = { ...REFUND_PLAN, expires_at: '2099-12-31T00:00:00.000000Z' };

/** A refund that was recorded, and wants a receipt. */
export interface Refund {
  readonly planId: string;
  readonly planHash: string;
  /** One satisfied check of each kind, by the names that an execution has for them. */
  readonly checks: Readonly<Record<'alignment_check_id' | 'constraints_check_id', string>>;
  readonly executionId: string;
  /** Of the look and of the payment. */
  readonly actionIds: readonly string[];
  /** What identifies the payment. */
  readonly payment: string;
}

export const nowText = () => `${new Date().toISOString().slice(0, -1)}000Z`;

/** The actions as they are proposed. */
export const INTENTS = [look, pay('80.00', '0.00')].map(({ response: _, started_at, ended_at, ...intent }) => intent);

/** The same as they were done, just now, under a payment's id. */
export function doneNow(payment: string) {
  const times = { started_at: nowText(), ended_at: nowText() };
  return [look, pay('80.00', '0.00', payment)].map((action) => ({ ...action, ...times }));
}

/** Goes through the flow up to where evidence is wanted. */
export async function recordRefund({ agent, approver }: TestTenant, payment: string): Promise<Refund> {
  const plan = await agent.post<{ plan_id: string; plan_hash: string }>('/api/v1/plans', { plan: PLAN });
  const named = { plan_id: plan.plan_id, plan_hash: plan.plan_hash };
  await approver.post(`/api/v1/plans/${plan.plan_id}/approve`, { plan_hash: plan.plan_hash });
  const check = async (kind: string) => {
    const body = { ...named, mode: 'complete', actions: INTENTS };
    return (await agent.post<{ check_id: string }>(`/api/v1/verify/${kind}`, body)).check_id;
  };
  const checks = {
    alignment_check_id: await check('plan-alignment'),
    constraints_check_id: await check('constraints'),
  };
  const execution = await agent.post<{ execution_id: string; actions: readonly { action_id: string }[] }>(
    '/api/v1/executions',
    { ...named, ...checks, actions: doneNow(payment) },
  );
  return {
    planId: plan.plan_id,
    planHash: plan.plan_hash,
    checks,
    executionId: execution.execution_id,
    actionIds: execution.actions.map(({ action_id }) => action_id),
    payment,
  };
}

/** An artifact for the payment, with those bytes: its receipt, unless they are given. */
export function receiptOf({ actionIds, payment }: Pick<Refund, 'actionIds' | 'payment'>, content?: Buffer) {
  const bytes = content ?? Buffer.from(JSON.stringify({ amount: '80.00', id: payment }));
  return {
    action_id: actionIds[1] ?? '',
    kind: 'receipt',
    media_type: 'application/json',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}
