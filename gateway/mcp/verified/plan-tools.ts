import { CreatePlanArguments } from '../../../services/verification/contract/arguments.ts';
import * as examples from '../../verified/examples.ts';
import { approvePlan, createPlan, getPlan } from '../../verified/plans.ts';
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
    args: { plan: 'The plan, plan_format 1. The example is a complete one.' },
    example: { plan: examples.PLAN, idempotency_key: 'plan-refund-A1' },
    listsExample: true,
    answers:
      'plan_id and plan_hash, which later calls name; lint: what is allowed but probably a mistake, such as EVIDENCE_NOT_BOUND. Fix it before approval.',
  },
  {
    name: 'svc_read_plan',
    endpoint: getPlan,
    use: 'Read a plan as it was sent, before you approve it or act under it, or to see whether it was approved. Any role.',
    args: { plan_id: 'From svc_create_plan.' },
    example: { plan_id },
    answers: 'state, plan_hash, approval (or null), executions (how many of max_executions are used) and plan.',
  },
  {
    name: 'svc_approve_plan',
    endpoint: approvePlan,
    use: 'Approve exactly the plan with this hash, after reading it with svc_read_plan. This closes the plan that it supersedes. Role: approver, with another key than the one that proposed the plan. An agent cannot approve its own plan: ask the holder of the approver key.',
    args: { plan_id: 'The plan to approve.', plan_hash: 'The plan_hash of the plan that you read.' },
    example: { plan_id, ...examples.approvePlan.request, idempotency_key: 'approve-refund-A1' },
    answers: 'state "approved" and approval: which key, when, until when.',
    isDestructive: true,
  },
];
