import { status } from '@grpc/grpc-js';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import { AppError } from '../errors/app-error.ts';

/** What a failed call to a service is to the caller of the API. Details stay in `cause`, for the log. */
export function toUpstreamError(error: unknown): AppError {
  if (!(error instanceof CallError)) return new AppError('UPSTREAM_FAILURE', 'the service failed', { cause: error });
  const options = { cause: error };
  switch (error.code) {
    case 'DOCUMENT_TOO_COMPLEX':
    case 'DOCUMENT_TOO_LARGE':
    case 'DOCUMENT_TOO_SLOW':
      return new AppError(error.code, error.message, options);
    case 'INVALID_ARGUMENT':
      return new AppError('INVALID_REQUEST', error.message, options);
    case 'UPSTREAM_FAILURE':
      return new AppError('UPSTREAM_FAILURE', 'the provider of this operation failed', options);
    case 'RECORDS_UNAVAILABLE':
    case 'JOBS_UNAVAILABLE':
      return storeUnavailable(error);
    case 'OVERLOADED':
      return new AppError('OVERLOADED', 'too many requests are under way', {
        ...options,
        headers: { 'retry-after': '1' },
      });
  }
  if (error.status === status.DEADLINE_EXCEEDED) {
    return new AppError('UPSTREAM_TIMEOUT', 'the operation took too long', options);
  }
  if (error.status === status.UNAVAILABLE) {
    return new AppError('SERVICE_UNAVAILABLE', 'the operation is not available now', {
      ...options,
      headers: { 'retry-after': '1' },
    });
  }
  return new AppError('UPSTREAM_FAILURE', 'the service failed', options);
}

/** Our own store does not answer, or cannot do its work: one code, whatever was asked. */
export function storeUnavailable(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'the store is not available now', {
    cause,
    headers: { 'retry-after': '1' },
  });
}

/** The service is away, or what it needs is: the same call may succeed soon. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof CallError && error.status === status.UNAVAILABLE;
}
