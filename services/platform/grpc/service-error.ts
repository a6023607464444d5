import { Metadata, type ServerErrorResponse, status } from '@grpc/grpc-js';
import { ERROR_CODES, type ServiceErrorCode } from '../errors/error-codes.ts';

/** Metadata key that carries the error code beside the gRPC status. */
export const ERROR_CODE_KEY = 'tollhouse-error-code';

interface ServiceErrorOptions extends ErrorOptions {
  readonly details?: readonly unknown[];
}

/** A failure whose code and message are sent to the caller of the service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** Each fault alone, if there may be several. Most errors have none. They are not in the gRPC error. */
  readonly details: readonly unknown[];

  constructor(code: ServiceErrorCode, message: string, { details = [], ...options }: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** The gRPC error for a thrown value. Any value but a `ServiceError` becomes INTERNAL without details. */
export function toGrpcError(error: unknown): ServerErrorResponse {
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL', 'internal error');
  const metadata = new Metadata();
  metadata.set(ERROR_CODE_KEY, known.code);
  return Object.assign(new Error(known.message), {
    code: status[ERROR_CODES[known.code].grpc],
    details: known.message,
    metadata,
  });
}
