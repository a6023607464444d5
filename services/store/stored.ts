import type { ServiceErrorCode } from '../platform/errors/error-codes.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';

/** Failures that an operator must know of. */
const UNREADABLE: ReadonlySet<string> = new Set(['RETENTION_KEY_MISSING', 'RETAINED_BODY_UNREADABLE']);

/** Awaits work of the store. Any failure but a ServiceError is logged, and becomes `code`. */
export function createStored(
  logger: Logger,
  code: ServiceErrorCode,
): <Result>(work: Promise<Result>) => Promise<Result> {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the store did not answer', level: 'error' });
  return async (work) => {
    try {
      return await work;
    } catch (error) {
      const isAnswer = error instanceof ServiceError;
      if (!isAnswer || UNREADABLE.has(error.code)) logFailure(error);
      throw isAnswer ? error : new ServiceError(code, 'the store is not available', { cause: error });
    }
  };
}
