import { ApprovePlanAnswer, CreatePlanAnswer, PlanAnswer } from '../../services/verification/contract/answers.ts';
import { ApprovePlanArguments } from '../../services/verification/contract/arguments.ts';
import { ProposedPlan } from '../../services/verification/contract/proposed-plan.ts';
import type { Endpoint } from './endpoint.ts';
import { approvePlan, createPlan, plan } from './examples.ts';
import { toAnswer } from './guarded-call.ts';

const SOLVER_TIMEOUT_MS = 25_000;
const TIMEOUT_MS = 10_000;

export const plans: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/plans',
    operationId: 'verified_create_plan',
    summary: 'Propose a plan',
    description:
      'Keeps a plan as a draft, under the hash of exactly what was sent. Refused are a plan that cannot be read, one that disagrees with the operator’s list of tools (a name that can be mistaken for a listed one, a lower effect, another identity), and one that no run obeys. `lint` names what is allowed and hardly meant. Role: agent.',
    idempotencyKey: 'optional',
    request: { schema: ProposedPlan, examples: [createPlan.request] },
    status: 201,
    answer: { schema: CreatePlanAnswer, example: createPlan.answer },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      return toAnswer(await clients.verification.call((client) => client.createPlan, request, settings));
    },
  },
  {
    method: 'GET',
    path: '/api/v1/plans/{plan_id}',
    operationId: 'verified_get_plan',
    summary: 'Read a plan',
    description: 'The plan as it was sent, its state and its approval.',
    status: 200,
    answer: { schema: PlanAnswer, example: plan },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, planId: params['plan_id'] ?? '' };
      const { answer } = await clients.verification.call((client) => client.getPlan, request, settings);
      return { body: answer };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/plans/{plan_id}/approve',
    operationId: 'verified_approve_plan',
    summary: 'Approve a plan',
    description: 'Approves exactly the plan that has this hash; the plan that it supersedes is closed. Role: approver.',
    idempotencyKey: 'required',
    request: { schema: ApprovePlanArguments, examples: [approvePlan.request] },
    status: 200,
    answer: { schema: ApprovePlanAnswer, example: approvePlan.answer },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, idempotencyKey, params, body, clients, settings }) {
      const request = { caller, idempotencyKey, planId: params['plan_id'] ?? '', arguments: body };
      return toAnswer(await clients.verification.call((client) => client.approvePlan, request, settings));
    },
  },
];
