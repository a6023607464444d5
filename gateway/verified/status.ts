import { StatusAnswer } from '../../services/verification/contract/answers.ts';
import type { Endpoint } from './endpoint.ts';
import { status as example } from './examples.ts';

export const status: Endpoint = {
  method: 'GET',
  path: '/api/v1/status',
  operationId: 'verified_get_status',
  summary: 'Read what the service says of itself',
  description:
    'Versions, flow and tools, and its solver and store as they were measured at `checked_at`, at most 5 s ago. The store’s tables, indexes and row-level security are read from the database’s catalog, and a guarded write is tried and rolled back. Answered within a second while the store is away as well: `NOT_READY`, with the records as they were last counted.',
  isPublic: true,
  status: 200,
  answer: { schema: StatusAnswer, example },
  timeoutMs: 5000,
  async call({ clients, settings }) {
    const { answer } = await clients.verification.call((client) => client.getStatus, {}, settings);
    return { body: answer };
  },
};
