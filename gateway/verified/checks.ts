import { CheckAnswer } from '../../services/verification/contract/answers.ts';
import { CheckArguments } from '../../services/verification/contract/arguments.ts';
import type { Endpoint } from './endpoint.ts';
import { check, constraintsCheck } from './examples.ts';
import { toCheckAnswer } from './guarded-call.ts';

const common = {
  method: 'POST',
  idempotencyKey: 'optional',
  request: { schema: CheckArguments, examples: check.requests },
  status: 200,
  answer: { schema: CheckAnswer, example: check.answer },
  timeoutMs: 25_000,
} as const;

export const checks: readonly Endpoint[] = [
  {
    ...common,
    path: '/api/v1/verify/plan-alignment',
    operationId: 'verified_check_plan_alignment',
    summary: 'Check whether actions are those of the plan',
    description:
      'Of a proposal, or of an execution. Steps, tools, conditions, order and counts; what an action says of itself is checked, not believed. The check is kept and lets one execution through, if the plan was approved before: `preview` says that it was not. Role: agent.',
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      const answer = await clients.verification.call((client) => client.verifyPlanAlignment, request, settings);
      return toCheckAnswer('plan_alignment', answer);
    },
  },
  {
    ...common,
    path: '/api/v1/verify/constraints',
    operationId: 'verified_check_constraints',
    answer: { schema: CheckAnswer, example: constraintsCheck },
    summary: 'Check whether actions obey the rules of the plan',
    description:
      'Of a proposal: whether values for what is still open exist with which the rules hold. Of an execution: whether they hold. The check is kept and lets one execution through, if the plan was approved and its alignment checked before: `preview` says that the plan was not approved. Role: agent.',
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      const answer = await clients.verification.call((client) => client.verifyConstraints, request, settings);
      return toCheckAnswer('constraints', answer);
    },
  },
];
