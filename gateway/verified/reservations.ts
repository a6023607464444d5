import { VerifyExecutionArguments } from '../../services/verification/contract/arguments.ts';
import { ReleaseAnswer, ReserveAnswer, ReserveArguments } from '../../services/verification/contract/reservations.ts';
import { READ_TIMEOUT_MS, SOLVER_TIMEOUT_MS, writeEndpoint } from './define-endpoint.ts';
import { reservation as example, preflight } from './preflight-examples.ts';

export const reserveAction = writeEndpoint({
  path: '/api/v1/reservations',
  operationId: 'verified_reserve_action',
  summary: 'Reserve an action',
  description:
    'Reserves what one act would count towards the limits of its tool, and an execution of the plan for its run, for as long as the plan says (`reserve`). Others cannot use what is reserved. Recording the act with a key of the same group, with the same step, tool and arguments, uses the reservation; otherwise it is given back when it expires or is released. Whether the rules of the plan allow the act is the question of the preflight. Role: agent.',
  idempotencyKey: 'required',
  request: {
    schema: ReserveArguments,
    examples: [example.request, { ...example.request, run: 'refund-A1' }],
  },
  status: 201,
  answer: { schema: ReserveAnswer, example: { ...example.answer, limits: preflight.answer.limits } },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'reserveAction',
});

const releaseReservation = writeEndpoint({
  path: '/api/v1/reservations/{reservation_id}/release',
  operationId: 'verified_release_reservation',
  summary: 'Release a reservation',
  description:
    'Gives a reservation back. One that was used or released, or has expired, is not found, nor is that of another group. Role: agent.',
  idempotencyKey: 'required',
  request: { schema: VerifyExecutionArguments, examples: [{}] },
  status: 200,
  answer: { schema: ReleaseAnswer, example: { reservation_id: example.answer.reservation_id } },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'releaseReservation',
});

export const reservations = [reserveAction, releaseReservation];
