import { SelectAnswer, SelectArguments } from '../../services/verification/contract/select.ts';
import { readEndpoint, SOLVER_TIMEOUT_MS } from './define-endpoint.ts';
import { select as example } from './select-examples.ts';

export const exactSelect = readEndpoint({
  method: 'POST',
  path: '/api/v1/select',
  operationId: 'verified_exact_select',
  summary: 'Choose the best items, exactly',
  description:
    'Items with numbers, capacities, groups of which at most one item is chosen, and objectives in order of priority. `optimal` and `infeasible` are proven. If the nodes run out first, the outcome is `indeterminate` with the best choice found, and `value_proven` says whether only a tie is open; a larger `node_limit` continues the search. Among equally good choices, the one with the smallest list of ids is returned. The same request has the same answer everywhere. Nothing is stored. Any role.',
  request: { schema: SelectArguments, examples: [example.request] },
  answer: { schema: SelectAnswer, example: example.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'exactSelect',
});
