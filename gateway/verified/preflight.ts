import { PreflightAnswer, PreflightArguments } from '../../services/verification/contract/preflight.ts';
import { readEndpoint, SOLVER_TIMEOUT_MS } from './define-endpoint.ts';
import { preflight as example } from './preflight-examples.ts';

export const preflightAction = readEndpoint({
  method: 'POST',
  path: '/api/v1/preflight',
  operationId: 'verified_preflight_action',
  summary: 'Ask whether an action still fits the plan',
  description:
    'Whether a run that begins with the actions done so far and this action can still satisfy the plan. `refuse` with `violated` or `invalid_input`: no such run passes alignment and constraints. `refuse` with `indeterminate` or `engine_error`: it was not decided. `allow` for the last action: the run passes if the assumed responses arrive. The decision is also `refuse` while the plan is not approved, has expired or has had its executions, and while writes are frozen. Nothing is stored. Any role.',
  request: { schema: PreflightArguments, examples: [example.request] },
  answer: { schema: PreflightAnswer, example: example.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'preflightAction',
});
