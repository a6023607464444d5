import type { ErrorCode } from '../../services/platform/errors/error-codes.ts';
import type { AppError } from './app-error.ts';

/** Code of other refusals. JSON-RPC leaves -32000 to -32099 to implementations. */
const REFUSED = -32_000;

/** JSON-RPC 2.0, section 5.1. */
const RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_JSON: -32_700,
  INVALID_REQUEST: -32_600,
  INTERNAL: -32_603,
};

/** A failure of the transport as a JSON-RPC response without an id. */
export function toRpcError({ code, message }: AppError, requestId: string): object {
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code: RPC_CODES[code] ?? REFUSED, message, data: { code, requestId } },
  };
}
