import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AppError } from '../errors/app-error.ts';
import type { Remedies } from './tool.ts';

const REMEDIES: Remedies = {
  INVALID_REQUEST: 'Mend what the message names, and call again.',
  INVALID_JSON: 'Send whole numbers up to 2^53-1 as JSON numbers and every other number as a string, such as "80.00".',
  MALFORMED_INPUT: 'The message begins with a JSON pointer to what is wrong: mend that, and call again.',
  IDEMPOTENCY_KEY_REQUIRED: 'Send idempotency_key: any text of your choice, new for every write.',
  OVERLOADED: 'Wait a second, then send the same call again, with the same idempotency_key.',
  SERVICE_UNAVAILABLE: 'Wait a second, then send the same call again, with the same idempotency_key.',
  UPSTREAM_TIMEOUT:
    'Send the same call again, with the same idempotency_key: what was applied is answered, not repeated.',
  UPSTREAM_FAILURE:
    'A fault of the service. Send the same call again once, with the same idempotency_key; then report requestId.',
  INTERNAL:
    'A fault of the service. Send the same call again once, with the same idempotency_key; then report requestId.',
};

interface Failure {
  readonly requestId: string;
  readonly remedies?: Remedies | undefined;
  readonly isStructured?: boolean | undefined;
}

/**
 * A refusal as a tool answers it, for the model to act on: the error envelope of HTTP, and what to do. It is structured
 * content only where it may be: clients of the protocol's first SDK hold that to the output schema, errors as well.
 */
export function toToolError(
  { code, message }: AppError,
  { requestId, remedies = {}, isStructured = false }: Failure,
): CallToolResult {
  const remedy = remedies[code] ?? REMEDIES[code];
  const error = { code, message, requestId, ...(remedy === undefined ? {} : { remedy }) };
  const structure = isStructured ? { structuredContent: { error } } : {};
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    ...structure,
    _meta: { error },
  };
}
