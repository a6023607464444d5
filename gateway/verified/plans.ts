import { Compile } from 'typebox/schema';
import {
  ApprovePlanAnswer,
  CreatePlanAnswer,
  ExplainPlanAnswer,
  PlanAnswer,
  RejectPlanAnswer,
  WithdrawApprovalAnswer,
} from '../../services/verification/contract/answers.ts';
import { ApprovalArguments, RejectionArguments } from '../../services/verification/contract/arguments.ts';
import { ListPlansAnswer, ListPlansArguments } from '../../services/verification/contract/lists.ts';
import { ProposedPlan } from '../../services/verification/contract/proposed-plan.ts';
import {
  LIST,
  READ_TIMEOUT_MS,
  readEndpoint,
  SOLVER_TIMEOUT_MS,
  toListArguments,
  writeEndpoint,
} from './define-endpoint.ts';
import * as examples from './examples.ts';
import { listedPlans } from './list-examples.ts';
import * as textExamples from './plan-text-examples.ts';

export const createPlan = writeEndpoint({
  path: '/api/v1/plans',
  operationId: 'verified_create_plan',
  summary: 'Propose a plan',
  description:
    'Stores a plan as a draft, identified by the hash of its canonical form. It is sent in that form (`plan`) or as text (`plan_text`), which is compiled: the answer then has the plan. The service refuses a plan that it cannot read, that disagrees with the list of tools (a name that can be mistaken for a listed one, a lower effect, another identity), that names a description or a table that is not stored, or that no run can obey. For a text with faults, `details` of the error has each with its line and column. `lint` lists what is allowed but probably a mistake. Role: agent.',
  idempotencyKey: 'optional',
  request: { schema: ProposedPlan, examples: [examples.createPlan.request, textExamples.createFromText.request] },
  status: 201,
  answer: { schema: CreatePlanAnswer, example: examples.createPlan.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'createPlan',
});

export const listPlans = readEndpoint({
  ...LIST,
  path: '/api/v1/plans',
  operationId: 'verified_list_plans',
  summary: 'List plans',
  description: `Those of one state, such as the drafts that wait for approval, or all. ${LIST.description}`,
  optionalQuery: ListPlansArguments.properties,
  answer: { schema: ListPlansAnswer, example: listedPlans },
  operation: 'listPlans',
  queryArguments: toListArguments,
});

const readPlan = readEndpoint({
  path: '/api/v1/plans/{plan_id}',
  operationId: 'verified_get_plan',
  summary: 'Read a plan',
  description:
    'The plan as it was sent, its state and its approvals. With `Accept: text/markdown`, the plan in words, for the person who approves it.',
  answer: { schema: PlanAnswer, example: examples.plan, isMarkdownToo: true },
  operation: 'getPlan',
});

/** A plan in words. Over HTTP it is another form of the plan; as a tool it is one of its own. */
export const explainPlan = readEndpoint({
  path: '/api/v1/plans/{plan_id}',
  operationId: 'verified_explain_plan',
  summary: 'Read a plan in words',
  description:
    'What is done, what money can move, to whom, what is not checked, and the hash to approve. Payees are compared with those of another plan, which is named there.',
  answer: { schema: ExplainPlanAnswer, example: textExamples.explainPlan },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'explainPlan',
});

const readExplained = Compile(ExplainPlanAnswer);

export const getPlan: typeof readPlan = {
  ...readPlan,
  async call(request) {
    if (!request.wantsMarkdown) return readPlan.call(request);
    const response = await explainPlan.call(request);
    const answer: unknown = JSON.parse(response.body.toString());
    if (!readExplained.Check(answer)) throw new TypeError('the service did not answer a plan in words');
    return { ...response, type: 'text/markdown; charset=utf-8', body: answer.markdown };
  },
};

export const approvePlan = writeEndpoint({
  path: '/api/v1/plans/{plan_id}/approve',
  operationId: 'verified_approve_plan',
  summary: 'Approve a plan',
  description:
    'Approves exactly the plan with this hash. The last approval that the plan needs makes it `approved`, and closes the plan that it supersedes; until then it stays a draft. An approved plan takes more approvals until it closes, because its rules can ask for them; they count for runs whose first action starts later. Approvers are distinct: keys of one group count as one, and neither the key that proposed the plan nor its group can approve. Role: approver.',
  idempotencyKey: 'required',
  request: { schema: ApprovalArguments, examples: [examples.approvePlan.request] },
  status: 200,
  answer: { schema: ApprovePlanAnswer, example: examples.approvePlan.answer },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'approvePlan',
});

export const withdrawApproval = writeEndpoint({
  path: '/api/v1/plans/{plan_id}/withdraw',
  operationId: 'verified_withdraw_approval',
  summary: 'Withdraw an approval',
  description:
    'Withdraws the approval that this key, or another key of its group, gave to the plan with this hash. It ends the plan: no execution is recorded under it any more. Executions that were recorded before stay, and can be verified. An operator who revokes a key ends the plans that it approved in the same way. Role: approver.',
  idempotencyKey: 'required',
  request: { schema: ApprovalArguments, examples: [examples.withdrawApproval.request] },
  status: 200,
  answer: { schema: WithdrawApprovalAnswer, example: examples.withdrawApproval.answer },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'withdrawApproval',
});

export const rejectPlan = writeEndpoint({
  path: '/api/v1/plans/{plan_id}/reject',
  operationId: 'verified_reject_plan',
  summary: 'Reject a plan',
  description:
    'Rejects the draft with this hash, for a reason that its readers see. One approver suffices, whatever approvals the draft has, and it ends the plan. Neither the key that proposed the plan nor its group can reject it. An approved plan is not rejected: an approval of it is withdrawn. Role: approver.',
  idempotencyKey: 'required',
  request: { schema: RejectionArguments, examples: [examples.rejectPlan.request] },
  status: 200,
  answer: { schema: RejectPlanAnswer, example: examples.rejectPlan.answer },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'rejectPlan',
});

export const plans = [createPlan, listPlans, getPlan, approvePlan, rejectPlan, withdrawApproval];
