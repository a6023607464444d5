import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import { recordAct } from '../../store/operator-acts.ts';
import type { Tables } from '../../store/tables.ts';
import type { BodyCipher } from './body-cipher.ts';
import { findRecordsOfRequest, findSealedBody, type OpenBodies, openBodies, type SealedBody } from './sealed-bodies.ts';

/** Who reviews a body, and why. */
export interface Reviewer {
  readonly operator: string;
  readonly reason: string;
  /** The person for whom the operator asks, if it is another one. */
  readonly onBehalfOf?: string | undefined;
}

export interface ReviewedCall extends OpenBodies {
  readonly recordId: string;
  readonly requestId: string | undefined;
  readonly access: Tables['retained_body']['access'];
  readonly operation: string;
  readonly retainedAt: Date;
}

/** UUIDv7s. */
export type ReviewSubject = { readonly recordId: string } | { readonly requestId: string };

/**
 * Shows the bodies of a call to an operator. The review is recorded in the audit trail before this returns.
 * @throws {ServiceError} NOT_FOUND, INVALID_ARGUMENT, RETENTION_KEY_MISSING, RETAINED_BODY_UNREADABLE; and an error of the
 *   database if the review could not be recorded
 */
export async function reviewCall(
  { database, cipher }: { readonly database: Database; readonly cipher: BodyCipher },
  subject: ReviewSubject,
  { operator, reason, onBehalfOf }: Reviewer,
): Promise<ReviewedCall> {
  const recordId = 'recordId' in subject ? subject.recordId : await recordOfRequest(database, subject.requestId);
  const sealed = await findSealedBody(database, recordId);
  if (sealed === undefined) throw new ServiceError('NOT_FOUND', 'no body of this id is retained');
  const bodies = await openBodies(cipher, sealed);
  const detail = {
    ...(sealed.request_id === null ? {} : { requestId: sealed.request_id }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
  };
  const act = { operator, reason, action: 'retention.review', subject: recordId, detail };
  await database.transaction().execute((transaction) => recordAct(transaction, act));
  return { ...describe(sealed), ...bodies };
}

async function recordOfRequest(database: Database, requestId: string): Promise<string> {
  const [recordId, ...others] = await findRecordsOfRequest(database, requestId);
  if (recordId === undefined) throw new ServiceError('NOT_FOUND', 'no body of this id is retained');
  if (others.length === 0) return recordId;
  const ids = [recordId, ...others].join(', ');
  throw new ServiceError('INVALID_ARGUMENT', `this request has several records: name one of ${ids}`);
}

const describe = (sealed: SealedBody) => ({
  recordId: sealed.record_id,
  requestId: sealed.request_id ?? undefined,
  access: sealed.access,
  operation: sealed.operation,
  retainedAt: sealed.created_at,
});
