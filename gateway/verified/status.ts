import { StatusAnswer } from '../../services/shared/verification/answers.ts';
import type { Endpoint } from './endpoint.ts';
import { status as example } from './examples.ts';

export const status: Endpoint = {
  method: 'GET',
  path: '/api/v1/status',
  operationId: 'verified_get_status',
  summary: 'Read what the service says of itself',
  description: 'Its versions, its solver and its store as they were probed, its flow and its tools.',
  isPublic: true,
  status: 200,
  answer: { schema: StatusAnswer, example },
  timeoutMs: 15_000,
  async call({ clients, settings }) {
    const { answer } = await clients.verification.call((client) => client.getStatus, {}, settings);
    return { body: answer };
  },
};
