import { PreflightAnswer, PreflightArguments } from '../../services/verification/contract/preflight.ts';
import { SelectAnswer, SelectArguments } from '../../services/verification/contract/select.ts';
import * as examples from './advice-examples.ts';
import type { Endpoint } from './endpoint.ts';

const common = { method: 'POST', status: 200, timeoutMs: 25_000 } as const;

/** What is worked out and not kept. */
export const advice: readonly Endpoint[] = [
  {
    ...common,
    path: '/api/v1/preflight',
    operationId: 'verified_preflight_action',
    summary: "Ask of an action, before it is done, whether it can still be the plan's",
    description:
      'Whether a run that begins with what was done, and with this action, can still end as the plan wants. Refused as `violated` or `invalid_input`: no run that begins so passes alignment and constraints. Refused as `indeterminate` or `engine_error`: it was not decided. Allowed as the last action: they pass for the responses assumed, if those come. A plan that is not approved, has expired or has had its executions, and a freeze, refuse for the moment. Nothing is kept. Any role.',
    request: { schema: PreflightArguments, examples: [examples.preflight.request] },
    answer: { schema: PreflightAnswer, example: examples.preflight.answer },
    async call({ caller, body, clients, settings }) {
      const request = { caller, arguments: body };
      const { answer } = await clients.verification.call((client) => client.preflightAction, request, settings);
      return { body: answer };
    },
  },
  {
    ...common,
    path: '/api/v1/select',
    operationId: 'verified_exact_select',
    summary: 'Choose the best of items, exactly',
    description:
      'Items with numbers, capacities, groups of which one at most is chosen, and objectives in turn. `optimal` and `infeasible` are proven; where the nodes run out before, the answer is `indeterminate`, with the best choice found, and `value_proven` says whether only a tie is open. A larger `node_limit` lets the search go on. Of equally good choices, the one with the smallest list of ids. The same question has the same answer anywhere. Nothing is kept. Any role.',
    request: { schema: SelectArguments, examples: [examples.select.request] },
    answer: { schema: SelectAnswer, example: examples.select.answer },
    async call({ caller, body, clients, settings }) {
      const request = { caller, arguments: body };
      const { answer } = await clients.verification.call((client) => client.exactSelect, request, settings);
      return { body: answer };
    },
  },
];
