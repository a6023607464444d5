import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_CODES } from '../../services/platform/errors/error-codes.ts';
import type { AppError } from '../errors/app-error.ts';
import { toPaymentMeta } from './payment-meta.ts';
import type { Remedies } from './tool.ts';

interface Failure {
  readonly requestId: string;
  /** The tool's own remedies, where the general one says too little. */
  readonly remedies?: Remedies | undefined;
  readonly isStructured?: boolean | undefined;
}

/**
 * An error as a tool result that a model can act on: the envelope of HTTP, and a remedy. The result has structured
 * content only if the tool's output schema allows errors: clients of the protocol's first SDK check errors against it.
 */
export function toToolError({ code, message, details, headers }: AppError, failure: Failure): CallToolResult {
  const { requestId, remedies, isStructured } = failure;
  const response = headers['payment-response'];
  const error = {
    code,
    message,
    requestId,
    remedy: remedies?.[code] ?? ERROR_CODES[code].remedy,
    ...(details.length === 0 ? {} : { details }),
  };
  const structure = isStructured ? { structuredContent: { error } } : {};
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    ...structure,
    _meta: { error, ...toPaymentMeta(response && Buffer.from(response, 'base64').toString()) },
  };
}
