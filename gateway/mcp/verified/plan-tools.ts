import { CreatePlanArguments } from '../../../services/verification/contract/arguments.ts';
import * as examples from '../../verified/examples.ts';
import * as textExamples from '../../verified/plan-text-examples.ts';
import { approvePlan, createPlan, explainPlan, getPlan } from '../../verified/plans.ts';
import { getStatus } from '../../verified/status.ts';
import { PLAN_GUIDE } from './plan-guide.ts';
import type { VerifiedTool } from './verified-tool.ts';

const { plan_id } = examples.createPlan.answer;

export const statusTool: VerifiedTool = {
  name: 'svc_status',
  endpoint: getStatus,
  use: 'Read whether the service is ready and whether writes that move money are stopped. Use it first, and after SERVICE_UNAVAILABLE or REVENUE_WRITES_FROZEN. Needs no key.',
  example: {},
  answers:
    'status: READY, DEGRADED (the solver fails) or NOT_READY (the store fails); revenue_writes_frozen; the flow and the tools.',
};

export const planTools: readonly VerifiedTool[] = [
  {
    name: 'svc_create_plan',
    endpoint: createPlan,
    body: CreatePlanArguments,
    use: `Propose a plan before you act: which tools are called, in which order, within which rules, with which evidence. The holder of an approver key approves it unchanged; an edited plan is a new plan. Role: agent.\n${PLAN_GUIDE}`,
    args: {
      plan_text: 'The plan as text, as in the example.',
      tables: 'For each file that tables of the text name: the sha256 that svc_create_table returned.',
      plan: 'The plan in canonical JSON, instead of plan_text.',
    },
    example: { ...textExamples.createFromText.request, idempotency_key: 'plan-refund-A1' },
    listsExample: true,
    answers:
      'plan_id and plan_hash, which later calls name; lint: what is allowed but probably a mistake, such as ARGUMENT_FREE: fix it before approval; plan: the compiled text.',
  },
  {
    name: 'svc_read_plan',
    endpoint: getPlan,
    use: 'Read a plan as sent, and whether it was approved or rejected. Any role.',
    args: { plan_id: 'From svc_create_plan.' },
    example: { plan_id },
    answers:
      'state, plan_hash, approvals (needed and given), executions (how many of max_executions are used) and plan.',
  },
  {
    name: 'svc_explain_plan',
    endpoint: explainPlan,
    use: 'Read a plan in words before it is approved: what is done, what money can move at most, to whom, and what is not checked. Any role.',
    args: { plan_id: 'From svc_create_plan.' },
    example: { plan_id: textExamples.explainPlan.plan_id },
    answers: 'markdown, and the plan_hash to approve.',
  },
  {
    name: 'svc_approve_plan',
    endpoint: approvePlan,
    use: 'Approve exactly the plan with this hash, after reading it with svc_explain_plan. This closes the plan that it supersedes. Role: approver, with a key of another group than the key that proposed the plan. An agent cannot approve its own plan: ask the holder of the approver key.',
    args: { plan_id: 'The plan to approve.', plan_hash: 'Of the plan that you read.' },
    example: { plan_id, ...examples.approvePlan.request, idempotency_key: 'approve-refund-A1' },
    answers: 'state: "approved" once approvals.given has as many as approvals.needed, else "draft".',
    isDestructive: true,
  },
];
