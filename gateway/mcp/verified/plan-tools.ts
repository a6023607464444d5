import { approvePlan, createPlan, PLAN } from '../../verified/examples.ts';
import { plans } from '../../verified/plans.ts';
import { status } from '../../verified/status.ts';
import { endpointNamed } from './endpoint-named.ts';
import { PLAN_GUIDE } from './plan-guide.ts';
import { ADDS, KEY, READS, type VerifiedTool } from './verified-tool.ts';

const { plan_id } = createPlan.answer;

export const statusTool: VerifiedTool = {
  name: 'svc_status',
  title: 'Status of the service',
  endpoint: status,
  use: 'Read what the service says of itself: whether it is ready, whether its solver and its store work, whether writes that move money are stopped, the steps of the flow and the names of the tools. Use it first, and when calls fail with SERVICE_UNAVAILABLE or REVENUE_WRITES_FROZEN. Needs no key.',
  args: {},
  example: {},
  answers:
    'status (READY, DEGRADED: the solver does not work, NOT_READY: the store does not), revenue_writes_frozen, and more.',
  remedies: { SERVICE_UNAVAILABLE: 'The service is not reachable: wait some seconds, and call again.' },
  hints: READS,
};

export const planTools: readonly VerifiedTool[] = [
  {
    name: 'svc_create_plan',
    title: 'Propose a plan',
    endpoint: endpointNamed(plans, 'verified_create_plan'),
    use: 'Propose a plan, before anything is done: which tools will be called, in which order, within which rules, with which evidence. It is kept as a draft that someone with an approver key approves as it is; an edit is a new plan. Role of the key: agent.',
    args: { plan: 'The plan, plan_format 1, as described below.', idempotency_key: KEY.optional },
    example: { plan: PLAN, idempotency_key: 'plan-refund-A1' },
    answers:
      'plan_id and plan_hash, which approval, checks and execution name; lint: what is allowed and hardly meant, such as EVIDENCE_NOT_BOUND or MODEL_REPEATS_RESPONSE. Mend these before you ask for approval.',
    remedies: {
      MALFORMED_INPUT:
        'The message begins with a JSON pointer into your arguments, such as /plan/steps/1/where/0/expr: mend the plan there, and send all of it again.',
      PLAN_VACUOUS:
        'The rules that the message names contradict each other, so that no run could obey them: change one of them.',
      EFFECT_UNDERSTATED: 'Give the tool the effect that the message names: the operator knows it to have it.',
      TOOL_NAME_CONFUSABLE:
        'Use the name of the tool that the message says yours can be mistaken for, or a clearly different one.',
      IDENTITY_MISPLACED:
        'Declare a field in responds at the JSON pointer that the message names, and name that field in identity.',
      ROLE_NOT_ALLOWED: 'Propose with a key of role agent.',
    },
    hints: { ...ADDS, idempotentHint: false },
    guide: PLAN_GUIDE,
  },
  {
    name: 'svc_read_plan',
    title: 'Read a plan',
    endpoint: endpointNamed(plans, 'verified_get_plan'),
    use: 'Read a plan as it was sent, with its state and its approval: before you approve it, before you act under it, or to see whether it was approved. Any role.',
    args: { plan_id: 'As svc_create_plan answered it.' },
    example: { plan_id },
    answers:
      'state (draft, approved, superseded, expired), plan_hash, approval or null, executions: how many there are of max_executions, plan.',
    remedies: { NOT_FOUND: 'Your tenant has no such plan: send the plan_id as svc_create_plan answered it.' },
    hints: READS,
  },
  {
    name: 'svc_approve_plan',
    title: 'Approve a plan',
    endpoint: endpointNamed(plans, 'verified_approve_plan'),
    use: 'Approve exactly the plan that has this hash, after having read it with svc_read_plan. What it names in supersedes is closed. Role of the key: approver, and never the key that proposed the plan: an agent cannot approve its own plan, so ask who holds the approver key.',
    args: {
      plan_id: 'The plan to approve.',
      plan_hash: 'Its plan_hash, of the plan that you have read: SHA-256 in lower-case hex.',
      idempotency_key: KEY.required,
    },
    example: { plan_id, ...approvePlan.request, idempotency_key: 'approve-refund-A1' },
    answers: 'state "approved", and approval: which key, when, until when.',
    remedies: {
      APPROVAL_NOT_ALLOWED: 'Another key of role approver has to approve: hand plan_id and plan_hash to who holds it.',
      PLAN_HASH_MISMATCH: 'Read the plan again with svc_read_plan, look at what it says, and send its plan_hash.',
      PLAN_CLOSED:
        'The message says why: it is approved already, and nothing is left to do; or it has expired or is superseded, and a new plan is wanted.',
      NOT_FOUND: 'Your tenant has no such plan: send the plan_id as svc_create_plan answered it.',
      IDEMPOTENCY_KEY_REUSED: 'This key was used for another request: send a new idempotency_key.',
    },
    hints: { ...ADDS, destructiveHint: true },
  },
];
