import { createHash } from 'node:crypto';
import type { Api } from '../../../scripts/cli/try/api.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import {
  CheckAnswer,
  CreatePlanAnswer,
  RecordExecutionAnswer,
} from '../../../services/verification/contract/answers.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL } from '../../models/catalogued.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';
import type { TestTenant } from './verified-stack.ts';

const { plan: named, tools } = catalogued({
  ...REFUND_PLAN,
  expires_at: '2099-12-31T00:00:00.000000Z',
  tools: [ORDER_TOOL, REFUND_TOOL],
});
/** The plan of a refund, which expires in the far future. */
export const PLAN = named;

/** Describes the tools of the plan. */
export async function describeRefund(approver: Api): Promise<void> {
  for (const tool of tools) await approver.post('/api/v1/tools', { tool: JSON.parse(tool) });
}

/** A recorded refund that needs a receipt. */
export interface Refund {
  readonly planId: string;
  readonly planHash: string;
  /** Ids of one satisfied check of each kind, by their names in the request of an execution. */
  readonly checks: Readonly<Record<'alignment_check_id' | 'constraints_check_id', string>>;
  readonly executionId: string;
  /** Ids of the lookup and of the payment. */
  readonly actionIds: readonly string[];
  /** Id of the payment. */
  readonly payment: string;
}

const readPlan = createReader(CreatePlanAnswer, 'the created plan');
const readCheck = createReader(CheckAnswer, 'the check');
const readExecution = createReader(RecordExecutionAnswer, 'the recorded execution');

export const nowText = () => `${new Date().toISOString().slice(0, -1)}000Z`;

/** The proposed actions. */
export const INTENTS = [look, pay('80.00', '0.00')].map(({ response: _, started_at, ended_at, ...intent }) => intent);

/** The recorded actions, done now. @param payment id of the payment */
export function doneNow(payment: string) {
  const now = nowText();
  const times = { started_at: now, ended_at: now };
  return [look, pay('80.00', '0.00', payment)].map((action) => ({ ...action, ...times }));
}

/** Records a refund: the whole flow up to the evidence. */
export async function recordRefund({ agent, approver }: TestTenant, payment: string): Promise<Refund> {
  await describeRefund(approver);
  const plan = readPlan(await agent.post('/api/v1/plans', { plan: PLAN }));
  const named = { plan_id: plan.plan_id, plan_hash: plan.plan_hash };
  await approver.post(`/api/v1/plans/${plan.plan_id}/approve`, { plan_hash: plan.plan_hash });
  const check = async (kind: string) => {
    const body = { ...named, mode: 'complete', actions: INTENTS };
    return readCheck(await agent.post(`/api/v1/verify/${kind}`, body)).check_id;
  };
  const checks = {
    alignment_check_id: await check('plan-alignment'),
    constraints_check_id: await check('constraints'),
  };
  const request = { ...named, ...checks, actions: doneNow(payment) };
  const execution = readExecution(await agent.post('/api/v1/executions', request));
  return {
    planId: plan.plan_id,
    planHash: plan.plan_hash,
    checks,
    executionId: execution.execution_id,
    actionIds: execution.actions.map(({ action_id }) => action_id),
    payment,
  };
}

/** An artifact for the payment. @param content its bytes; a correct receipt by default */
export function receiptOf({ actionIds, payment }: Pick<Refund, 'actionIds' | 'payment'>, content?: Buffer) {
  const bytes = content ?? Buffer.from(JSON.stringify({ amount: '80.00', id: payment }));
  return {
    action_id: defined(actionIds[1]),
    kind: 'receipt',
    media_type: 'application/json',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}
