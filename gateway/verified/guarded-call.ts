import type { EndpointAnswer } from './endpoint.ts';

/** What the service answered to a write. */
export function toAnswer({
  answer,
  replayed,
}: {
  readonly answer: string;
  readonly replayed: boolean;
}): EndpointAnswer {
  return { body: answer, headers: replayed ? { 'idempotency-replayed': 'true' } : {} };
}
