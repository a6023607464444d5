import { Metadata, type ServerErrorResponse, status } from '@grpc/grpc-js';

/** Metadata key that carries the domain's code beside the gRPC status. */
export const ERROR_CODE_KEY = 'tollhouse-error-code';

/** Every code that a service may answer with, and its gRPC status. */
export const SERVICE_ERROR_STATUS = {
  INVALID_ARGUMENT: status.INVALID_ARGUMENT,
  DOCUMENT_TOO_COMPLEX: status.INVALID_ARGUMENT,
  DOCUMENT_TOO_LARGE: status.INVALID_ARGUMENT,
  DOCUMENT_TOO_SLOW: status.DEADLINE_EXCEEDED,
  NOT_FOUND: status.NOT_FOUND,
  ALREADY_EXISTS: status.ALREADY_EXISTS,
  SANDBOX_ONLY: status.FAILED_PRECONDITION,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  ROLE_NOT_ALLOWED: status.PERMISSION_DENIED,
  APPROVAL_NOT_ALLOWED: status.PERMISSION_DENIED,
  KEY_NOT_OWNER: status.PERMISSION_DENIED,
  INVALID_JSON: status.INVALID_ARGUMENT,
  MALFORMED_INPUT: status.INVALID_ARGUMENT,
  PLAN_VACUOUS: status.INVALID_ARGUMENT,
  EFFECT_UNDERSTATED: status.INVALID_ARGUMENT,
  TOOL_NAME_CONFUSABLE: status.INVALID_ARGUMENT,
  IDENTITY_MISPLACED: status.INVALID_ARGUMENT,
  SHEET_VACUOUS: status.INVALID_ARGUMENT,
  EVIDENCE_REJECTED: status.INVALID_ARGUMENT,
  IDEMPOTENCY_KEY_REQUIRED: status.INVALID_ARGUMENT,
  PLAN_HASH_MISMATCH: status.FAILED_PRECONDITION,
  PLAN_NOT_APPROVED: status.FAILED_PRECONDITION,
  PLAN_CLOSED: status.FAILED_PRECONDITION,
  STEP_OUT_OF_ORDER: status.FAILED_PRECONDITION,
  EXECUTIONS_EXHAUSTED: status.FAILED_PRECONDITION,
  EXECUTION_CLOSED: status.FAILED_PRECONDITION,
  IDENTITY_REUSED: status.ALREADY_EXISTS,
  SHEET_EXISTS: status.ALREADY_EXISTS,
  TOO_MANY_SHEETS: status.FAILED_PRECONDITION,
  EVIDENCE_REUSED: status.ALREADY_EXISTS,
  REVENUE_WRITES_FROZEN: status.FAILED_PRECONDITION,
  RECORDS_UNAVAILABLE: status.UNAVAILABLE,
  IDEMPOTENCY_KEY_REUSED: status.ALREADY_EXISTS,
  OVERLOADED: status.RESOURCE_EXHAUSTED,
  DEADLINE_EXCEEDED: status.DEADLINE_EXCEEDED,
  CANCELLED: status.CANCELLED,
  PAYMENT_UNAVAILABLE: status.UNAVAILABLE,
  RETENTION_UNAVAILABLE: status.UNAVAILABLE,
  JOBS_UNAVAILABLE: status.UNAVAILABLE,
  UPSTREAM_FAILURE: status.UNAVAILABLE,
  UPSTREAM_TIMEOUT: status.DEADLINE_EXCEEDED,
  INTERNAL: status.INTERNAL,
} as const;

export type ServiceErrorCode = keyof typeof SERVICE_ERROR_STATUS;

/** A failure that the caller is told of by code and message. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What goes over the wire. Anything but a `ServiceError` is INTERNAL and tells nothing. */
export function toGrpcError(error: unknown): ServerErrorResponse {
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL', 'internal error');
  const metadata = new Metadata();
  metadata.set(ERROR_CODE_KEY, known.code);
  return Object.assign(new Error(known.message), {
    code: SERVICE_ERROR_STATUS[known.code],
    details: known.message,
    metadata,
  });
}
