import { status } from '@grpc/grpc-js';
import { isForwardedCode } from '../../services/platform/errors/code-lists.ts';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import { AppError } from '../errors/app-error.ts';

const SOON = { 'retry-after': '1' };
/** RFC 6750, section 3. */
export const KEY_CHALLENGE = { 'www-authenticate': 'Bearer realm="tollhouse"' };

/** Converts a failed call to a service into the error for the API's caller. Only the log sees `cause`. */
export function toUpstreamError(error: unknown): AppError {
  if (!(error instanceof CallError)) return new AppError('UPSTREAM_FAILURE', 'the service failed', { cause: error });
  const { code, message, details } = error;
  const options = { cause: error, details };
  if (code !== undefined && isForwardedCode(code)) {
    return new AppError(code, message, code === 'UNAUTHENTICATED' ? { ...options, headers: KEY_CHALLENGE } : options);
  }
  switch (code) {
    case 'INVALID_ARGUMENT':
      return new AppError('INVALID_REQUEST', message, options);
    case 'UPSTREAM_FAILURE':
      return new AppError('UPSTREAM_FAILURE', 'the provider of this operation failed', options);
    case 'RECORDS_UNAVAILABLE':
    case 'JOBS_UNAVAILABLE':
      return storeUnavailable(error);
    case 'OVERLOADED':
      return new AppError('OVERLOADED', 'too many requests are in progress', { ...options, headers: SOON });
  }
  if (error.status === status.DEADLINE_EXCEEDED) {
    return new AppError('UPSTREAM_TIMEOUT', 'the operation took too long', options);
  }
  if (error.status === status.UNAVAILABLE) {
    return new AppError('SERVICE_UNAVAILABLE', 'the operation is not available now', { ...options, headers: SOON });
  }
  return new AppError('UPSTREAM_FAILURE', 'the service failed', options);
}

/** The error for a store of ours that does not answer or cannot do its work: one code for every request. */
export function storeUnavailable(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the store is not available now', { cause, headers: SOON });
}

/** Whether the service, or something that it needs, is not reachable: the same call may succeed soon. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof CallError && error.status === status.UNAVAILABLE;
}
