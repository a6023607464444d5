import { ServiceError } from '../../platform/grpc/service-error.ts';

const MAX_REASON = 500;

/** The reason for an act, for the audit trail. @throws {ServiceError} INVALID_ARGUMENT */
export function readReason(reason: string): string {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON) {
    throw new ServiceError('INVALID_ARGUMENT', `reason must have 1 to ${MAX_REASON} characters`);
  }
  return text;
}
