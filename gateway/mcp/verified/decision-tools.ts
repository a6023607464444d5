import { Type } from 'typebox';
import { PreflightArguments } from '../../../services/verification/contract/preflight.ts';
import { ReserveArguments } from '../../../services/verification/contract/reservations.ts';
import { preflightAction } from '../../verified/preflight.ts';
import { preflight, reservation } from '../../verified/preflight-examples.ts';
import { reserveAction } from '../../verified/reservations.ts';
import { exactSelect } from '../../verified/select.ts';
import { select } from '../../verified/select-examples.ts';
import type { VerifiedTool } from './verified-tool.ts';

/** Tools for what is done next. */
export const decisionTools: readonly VerifiedTool[] = [
  {
    name: 'svc_preflight_action',
    endpoint: preflightAction,
    body: Type.Object({ ...PreflightArguments.properties, done: Type.Array(Type.Object({})) }),
    use: 'Ask right before each action whether a run that begins with those done so far and this one can still satisfy the plan. Stores nothing. Any role.',
    args: {
      plan_id: 'The approved plan.',
      plan_hash: 'Of the plan.',
      done: 'The actions done so far, as svc_record_execution takes them; [] at first.',
      action: 'The action that you intend to do next.',
    },
    example: preflight.request,
    answers:
      'decision and result. refuse: do not act; result.reasons says why. allow for the last action: the run passes if the assumed responses arrive. remaining: how often each step must and may still be done, and the slack of each rule.',
  },
  {
    name: 'svc_reserve_action',
    endpoint: reserveAction,
    body: Type.Object({ ...ReserveArguments.properties, action: Type.Object({}) }),
    use: 'Hold the room of one action in limits and executions before you do it, if the plan says reserve. Recording it uses the reservation. Role: agent.',
    args: {
      plan_id: 'The plan.',
      plan_hash: 'Of the plan.',
      action: 'As svc_preflight_action takes it.',
      run: 'Names one of several runs at once.',
    },
    example: { ...reservation.request, idempotency_key: 'reserve-refund-A1' },
    answers: 'reservation_id and expires_at: act before then.',
  },
  {
    name: 'svc_exact_select',
    endpoint: exactSelect,
    use: 'Choose the best of up to 1000 items within limits, such as invoices to pay from a budget. Stores nothing. Any role.',
    args: {
      node_limit: 'Most search nodes. Large selections have a lower limit.',
    },
    example: select.request,
    listsExample: true,
    answers:
      'outcome. optimal: chosen is the best choice (among equals the smallest list of ids). infeasible: no choice exists; core names limits that contradict each other, so loosen one. indeterminate: chosen is the best found within node_limit; with value_proven true only a tie is open, otherwise raise node_limit or send fewer items.',
    remedies: {
      MALFORMED_INPUT:
        'The message begins with a JSON pointer to what is wrong: numbers are strings with exactly scale decimals, and every item has each number that is used.',
    },
  },
];
