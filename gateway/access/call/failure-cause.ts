import type { AppError } from '../../errors/app-error.ts';

/**
 * Whether the caller brought about this failure of an operation. Only such failures count against a wallet or a payer:
 * an outage of ours must not lock anyone out. A document that uses up the time of its conversion is the caller's doing.
 * A full queue, a service that is away and an unanswered call are not.
 */
export function isCausedByCaller(error: AppError): boolean {
  return error.statusCode < 500 || error.code === 'DOCUMENT_TOO_SLOW';
}
