import { ApprovePlanAnswer, CreatePlanAnswer, PlanAnswer } from '../../services/verification/contract/answers.ts';
import { ApprovePlanArguments } from '../../services/verification/contract/arguments.ts';
import { ProposedPlan } from '../../services/verification/contract/proposed-plan.ts';
import { READ_TIMEOUT_MS, readEndpoint, SOLVER_TIMEOUT_MS, writeEndpoint } from './define-endpoint.ts';
import * as examples from './examples.ts';

export const createPlan = writeEndpoint({
  path: '/api/v1/plans',
  operationId: 'verified_create_plan',
  summary: 'Propose a plan',
  description:
    'Stores a plan as a draft, identified by the hash of exactly what was sent. The service refuses a plan that it cannot read, that disagrees with the operator’s list of tools (a name that can be mistaken for a listed one, a lower effect, another identity), or that no run can obey. `lint` lists what is allowed but probably a mistake. Role: agent.',
  idempotencyKey: 'optional',
  request: { schema: ProposedPlan, examples: [examples.createPlan.request] },
  status: 201,
  answer: { schema: CreatePlanAnswer, example: examples.createPlan.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  write: ({ ask, caller, idempotencyKey, body }) =>
    ask((client) => client.createPlan, { caller, idempotencyKey, arguments: body }),
});

export const getPlan = readEndpoint({
  path: '/api/v1/plans/{plan_id}',
  operationId: 'verified_get_plan',
  summary: 'Read a plan',
  description: 'The plan as it was sent, its state and its approval.',
  answer: { schema: PlanAnswer, example: examples.plan },
  read: ({ ask, caller, param }) => ask((client) => client.getPlan, { caller, planId: param('plan_id') }),
});

export const approvePlan = writeEndpoint({
  path: '/api/v1/plans/{plan_id}/approve',
  operationId: 'verified_approve_plan',
  summary: 'Approve a plan',
  description: 'Approves exactly the plan with this hash, and closes the plan that it supersedes. Role: approver.',
  idempotencyKey: 'required',
  request: { schema: ApprovePlanArguments, examples: [examples.approvePlan.request] },
  status: 200,
  answer: { schema: ApprovePlanAnswer, example: examples.approvePlan.answer },
  timeoutMs: READ_TIMEOUT_MS,
  write: ({ ask, caller, idempotencyKey, param, body }) =>
    ask((client) => client.approvePlan, { caller, idempotencyKey, planId: param('plan_id'), arguments: body }),
});

export const plans = [createPlan, getPlan, approvePlan];
