import { CheckAnswer } from '../../services/verification/contract/answers.ts';
import { CheckArguments } from '../../services/verification/contract/arguments.ts';
import { SOLVER_TIMEOUT_MS, writeEndpoint } from './define-endpoint.ts';
import { check, constraintsCheck } from './examples.ts';
import { verdictOfCheck } from './verdicts-of.ts';

const common = {
  idempotencyKey: 'optional',
  request: { schema: CheckArguments, examples: check.requests },
  status: 200,
  timeoutMs: SOLVER_TIMEOUT_MS,
} as const;

export const checkPlanAlignment = writeEndpoint({
  ...common,
  path: '/api/v1/verify/plan-alignment',
  operationId: 'verified_check_plan_alignment',
  summary: 'Check actions against the plan',
  description:
    'Checks the actions of a proposal or of an execution: steps, tools, conditions, order and counts. What an action says about itself is checked, not believed. The service stores the check. If the plan was approved before, the check admits one execution; otherwise `preview` is true. Role: agent.',
  answer: { schema: CheckAnswer, example: check.answer },
  operation: 'verifyPlanAlignment',
  verdictsOf: verdictOfCheck('plan_alignment'),
});

export const checkConstraints = writeEndpoint({
  ...common,
  path: '/api/v1/verify/constraints',
  operationId: 'verified_check_constraints',
  summary: 'Check actions against the constraints of the plan',
  description:
    'For a proposal: whether the rules can hold for some values of what is still open. For an execution: whether they hold. The service stores the check. If the plan was approved and its alignment was checked before, the check admits one execution; `preview` is true if the plan was not approved. Role: agent.',
  answer: { schema: CheckAnswer, example: constraintsCheck },
  operation: 'verifyConstraints',
  verdictsOf: verdictOfCheck('constraints'),
});

export const checks = [checkPlanAlignment, checkConstraints];
