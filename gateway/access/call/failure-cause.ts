import type { AppError } from '../../errors/app-error.ts';

/**
 * Whether the caller caused this failure of an operation. Only such failures count against a wallet or a payer: an
 * outage of ours must not lock anyone out. The caller causes a document that exceeds the time limit of its conversion.
 * The caller does not cause a full queue, an unavailable service or an unanswered call.
 */
export function isCausedByCaller(error: AppError): boolean {
  return error.statusCode < 500 || error.code === 'DOCUMENT_TOO_SLOW';
}
