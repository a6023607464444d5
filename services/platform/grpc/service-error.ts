import { Metadata, type ServerErrorResponse, status } from '@grpc/grpc-js';
import { ERROR_CODES, type ServiceErrorCode } from '../errors/error-codes.ts';

/** Metadata key that carries the error code beside the gRPC status. */
export const ERROR_CODE_KEY = 'tollhouse-error-code';

/** A failure whose code and message are sent to the caller of the service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
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
