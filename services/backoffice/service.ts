import type { BackofficeServiceServer } from '../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { isUuidV7 } from '../platform/patterns.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { readCallState } from '../store/call-freeze.ts';
import type { Retention } from './retention/retention.ts';

export interface BackofficeServiceOptions {
  readonly retention: Pick<Retention, 'read'>;
  readonly readCallState: (keyCheck: string) => ReturnType<typeof readCallState>;
  readonly logger: Logger;
}

/** Failures that an operator must know of. */
const UNREADABLE: ReadonlySet<string> = new Set(['RETENTION_KEY_MISSING', 'RETAINED_BODY_UNREADABLE']);

const CHECK_VALUE = /^[0-9a-f]{64}$/;

/** `tollhouse.backoffice.v1.BackofficeService`. */
export function createBackofficeService({
  retention,
  readCallState: readState,
  logger,
}: BackofficeServiceOptions): BackofficeServiceServer {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the store of retained bodies failed', level: 'error' });
  const stored = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServiceError) {
        if (UNREADABLE.has(error.code)) logFailure(error);
        throw error;
      }
      logFailure(error);
      throw new ServiceError('RETENTION_UNAVAILABLE', 'the store is not available', { cause: error });
    }
  };
  return {
    getRetained: unary(logger, async ({ recordId }) => {
      if (!isUuidV7(recordId)) throw new ServiceError('INVALID_ARGUMENT', 'record_id is not a UUIDv7');
      const record = await stored(retention.read(recordId));
      if (record === undefined) throw new ServiceError('NOT_FOUND', 'no such record');
      return record;
    }),
    readCallFreeze: unary(logger, async ({ fingerprintKeyCheck }) => {
      if (!CHECK_VALUE.test(fingerprintKeyCheck))
        throw new ServiceError('INVALID_ARGUMENT', 'fingerprint_key_check is missing');
      const { isFrozen, isFingerprintKey } = await stored(readState(fingerprintKeyCheck));
      return { frozen: isFrozen, otherFingerprintKey: !isFingerprintKey };
    }),
  };
}
