import { advice } from '../../verified/advice.ts';
import * as examples from '../../verified/advice-examples.ts';
import { endpointNamed } from './endpoint-named.ts';
import { READS, type VerifiedTool } from './verified-tool.ts';

/** What is worked out and not kept. */
export const adviceTools: readonly VerifiedTool[] = [
  {
    name: 'svc_preflight_action',
    title: 'Ask before an act',
    endpoint: endpointNamed(advice, 'verified_preflight_action'),
    use: 'Ask right before each single act under an approved plan whether it can still be the plan’s: whether a run that begins with what was done, and with this act, can end as the plan wants. Writes nothing, and lets no execution through: for that, use svc_verify_plan_alignment and svc_verify_constraints. Any role.',
    args: {
      plan_id: 'The approved plan.',
      plan_hash: 'Its plan_hash.',
      done: 'What was done so far, in order, with the responses that came: [{step_id, tool, tool_version, args, response, started_at, ended_at}]; [] at first.',
      action: 'What you mean to do next: {step_id, tool, tool_version, args}.',
    },
    example: examples.preflight.request,
    answers:
      'decision: "allow" or "refuse", and result, whose reasons say why. Refused: do not act; no run that begins so passes, or it is not the moment (PLAN_NOT_APPROVED, PLAN_EXPIRED, EXECUTIONS_EXHAUSTED, REVENUE_WRITES_FROZEN among the reasons). Allowed, for the last act: alignment and constraints pass for the responses assumed, if those come. remaining: how often each step must and may still be done, and the slack of each rule.',
    remedies: {
      MALFORMED_INPUT: 'The message begins with a JSON pointer to what is wrong: send each value as the plan types it.',
      PLAN_HASH_MISMATCH: 'Take plan_id and plan_hash from one answer of svc_read_plan.',
      NOT_FOUND: 'Your tenant has no such plan: send the plan_id as svc_create_plan answered it.',
    },
    hints: READS,
  },
  {
    name: 'svc_exact_select',
    title: 'Choose the best of items',
    endpoint: endpointNamed(advice, 'verified_exact_select'),
    use: 'Choose the best of up to 1000 items within limits (which invoices to pay from a budget, which orders to refund), instead of working it out yourself: the answer is exact and proven, and the same question has the same answer anywhere. Writes nothing. Any role.',
    args: {
      scale: 'How many decimals every number has: 2 for "30.00", 0 for "30".',
      items:
        'What is chosen from: [{id, values: {name: number as a string}}]; every item has every number that is named elsewhere.',
      choose: '{min, max}: how many are chosen; any number unless it is sent.',
      capacities: '[{of, max}]: the sum of this number over the chosen is at most max.',
      require: 'Ids that must be chosen.',
      forbid: 'Ids that must not be.',
      at_most_one: 'Lists of ids, of each of which at most one is chosen.',
      objectives: '[{of, direction: "maximize" or "minimize"}]: the first counts most, the next decide between equals.',
      node_limit: 'Most decisions that are tried; a million unless it is sent, and up to 4.8 million for few items.',
    },
    example: examples.select.request,
    answers:
      'outcome. "optimal": chosen is the best choice (of equals the smallest list of ids), totals its sums. "infeasible": no choice is possible, and core names limits that contradict each other: loosen one. "indeterminate": the nodes ran out; chosen is the best found. With value_proven true no choice has better totals, and only which of equally good ones comes first is open; otherwise a better one may exist: send a larger node_limit or fewer items.',
    remedies: {
      MALFORMED_INPUT:
        'The message begins with a JSON pointer to what is wrong: numbers are strings with exactly scale decimals, and each number is there for every item.',
    },
    hints: READS,
  },
];
