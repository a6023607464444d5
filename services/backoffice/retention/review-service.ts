import type { RetentionReviewServiceServer, ReviewRequest } from '../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { createStored } from '../../store/stored.ts';
import type { OperatorKeys } from '../contract/operator-keys.ts';
import { requireOperator } from '../contract/require-operator.ts';
import type { BodyCipher } from './body-cipher.ts';
import { readReason } from './reason.ts';
import { type ReviewSubject, reviewCall } from './review.ts';

export interface ReviewServiceOptions {
  readonly database: Database;
  readonly cipher: BodyCipher;
  readonly operatorKeys: OperatorKeys;
  readonly logger: Logger;
}

const MAX_NAME = 64;

/** `tollhouse.backoffice.v1.RetentionReviewService`. */
export function createReviewService(options: ReviewServiceOptions): RetentionReviewServiceServer {
  const { database, cipher, operatorKeys, logger } = options;
  const stored = createStored(logger, 'RETENTION_UNAVAILABLE');
  return {
    review: unary(logger, async (request, { authorization }) => {
      const operator = requireOperator(operatorKeys, authorization);
      const reviewer = { operator, reason: readReason(request.reason), onBehalfOf: readName(request) };
      return stored(reviewCall({ database, cipher }, readSubject(request), reviewer));
    }),
  };
}

function readSubject({ subject }: ReviewRequest): ReviewSubject {
  if (subject === undefined) throw new ServiceError('INVALID_ARGUMENT', 'request_id or record_id is missing');
  if (!isUuidV7(subject.value)) throw new ServiceError('INVALID_ARGUMENT', 'the id is not a UUIDv7');
  return subject.$case === 'requestId' ? { requestId: subject.value } : { recordId: subject.value };
}

function readName({ operator }: ReviewRequest): string | undefined {
  const name = operator.trim();
  if (name.length > MAX_NAME)
    throw new ServiceError('INVALID_ARGUMENT', `operator has more than ${MAX_NAME} characters`);
  return name === '' ? undefined : name;
}
