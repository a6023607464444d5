import type { BackofficeServiceServer } from '../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { isUuidV7 } from '../platform/patterns.ts';
import type { Logger } from '../platform/process/logger.ts';
import { readCallState } from '../store/call-freeze.ts';
import type { Database } from '../store/database.ts';
import { createStored } from '../store/stored.ts';
import type { BodyCipher } from './retention/body-cipher.ts';
import { readCall } from './retention/sealed-bodies.ts';

export interface BackofficeServiceOptions {
  readonly database: Database;
  readonly cipher: BodyCipher;
  readonly logger: Logger;
}

const CHECK_VALUE = /^[0-9a-f]{64}$/;

/** `tollhouse.backoffice.v1.BackofficeService`. */
export function createBackofficeService(options: BackofficeServiceOptions): BackofficeServiceServer {
  const { database, cipher, logger } = options;
  const stored = createStored(logger, 'RETENTION_UNAVAILABLE');
  return {
    getRetained: unary(logger, async ({ recordId }) => {
      if (!isUuidV7(recordId)) throw new ServiceError('INVALID_ARGUMENT', 'record_id is not a UUIDv7');
      const record = await stored(readCall({ database, cipher }, recordId));
      if (record === undefined) throw new ServiceError('NOT_FOUND', 'no such record');
      return record;
    }),
    readCallFreeze: unary(logger, async ({ fingerprintKeyCheck }) => {
      if (!CHECK_VALUE.test(fingerprintKeyCheck))
        throw new ServiceError('INVALID_ARGUMENT', 'fingerprint_key_check is missing');
      const { isFrozen, isFingerprintKey } = await stored(readCallState(database, fingerprintKeyCheck));
      return { frozen: isFrozen, otherFingerprintKey: !isFingerprintKey };
    }),
  };
}
