import { StatusAnswer } from '../../services/verification/contract/answers.ts';
import { readEndpoint } from './define-endpoint.ts';
import { status as example } from './examples.ts';

export const getStatus = readEndpoint({
  path: '/api/v1/status',
  operationId: 'verified_get_status',
  summary: 'Read the status of the service',
  description:
    'Versions, flow and tools, and the solver and the store as probed at `checked_at`, at most 5 seconds ago. Anything measurable is probed, never asserted: tables, indexes and row-level security are read from the database’s catalog, and a guarded write is tried and rolled back. While the store is unavailable, the answer still arrives within a second: `NOT_READY`, with the last known counts of records.',
  isPublic: true,
  answer: { schema: StatusAnswer, example },
  timeoutMs: 5000,
  operation: 'getStatus',
});
