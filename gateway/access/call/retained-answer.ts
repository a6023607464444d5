import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { AppError } from '../../errors/app-error.ts';

const READ_TIMEOUT_MS = 5000;

/** The stored answer of a call that was paid for before. @throws {AppError} PAYMENT_REUSED if it is no longer kept */
export async function readRetainedAnswer(
  backoffice: Pick<BackofficeClient, 'getRetained'>,
  recordId: string,
  requestId: string,
): Promise<Buffer> {
  try {
    return (await backoffice.getRetained(recordId, { requestId, timeoutMs: READ_TIMEOUT_MS })).responseBody;
  } catch (cause) {
    if (cause instanceof CallError && cause.code === 'NOT_FOUND') {
      throw new AppError('PAYMENT_REUSED', 'the result of this payment is no longer kept', { cause });
    }
    throw new AppError(
      'PAYMENT_UNAVAILABLE',
      'the result of this payment cannot be read now; send the same request with the same payment again',
      { cause },
    );
  }
}
