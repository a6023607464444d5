/** Every public error code and its HTTP status. */
export const ERROR_STATUS = {
  INVALID_JSON: 400,
  INVALID_REQUEST: 400,
  MALFORMED_PROOF: 400,
  MALFORMED_PAYMENT: 400,
  DOCUMENT_TOO_COMPLEX: 400,
  DOCUMENT_TOO_LARGE: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  INVALID_PROOF: 401,
  WRONG_RESOURCE: 401,
  EXPIRED_PROOF: 401,
  REPLAYED_PROOF: 401,
  UNAUTHENTICATED: 401,
  ROLE_NOT_ALLOWED: 403,
  APPROVAL_NOT_ALLOWED: 403,
  KEY_NOT_OWNER: 403,
  ORIGIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PAYMENT_REUSED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  PLAN_HASH_MISMATCH: 409,
  PLAN_NOT_APPROVED: 409,
  PLAN_CLOSED: 409,
  STEP_OUT_OF_ORDER: 409,
  EXECUTIONS_EXHAUSTED: 409,
  EXECUTION_CLOSED: 409,
  IDENTITY_REUSED: 409,
  EVIDENCE_REUSED: 409,
  SHEET_EXISTS: 409,
  TOO_MANY_SHEETS: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  MALFORMED_INPUT: 422,
  PLAN_VACUOUS: 422,
  EFFECT_UNDERSTATED: 422,
  TOOL_NAME_CONFUSABLE: 422,
  IDENTITY_MISPLACED: 422,
  SHEET_VACUOUS: 422,
  EVIDENCE_REJECTED: 422,
  REVENUE_WRITES_FROZEN: 423,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UPSTREAM_FAILURE: 502,
  OVERLOADED: 503,
  SERVICE_UNAVAILABLE: 503,
  TRIAL_UNAVAILABLE: 503,
  PAYMENT_UNAVAILABLE: 503,
  SETTLEMENT_PENDING: 503,
  UPSTREAM_TIMEOUT: 504,
  DOCUMENT_TOO_SLOW: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorEnvelope {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly requestId: string };
}

export interface AppErrorOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is an error. `message` is for the caller; `cause` is for the log alone. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { headers = {}, ...options }: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.headers = headers;
  }

  get statusCode(): number {
    return ERROR_STATUS[this.code];
  }

  /** The same error with more headers. */
  with(headers: Readonly<Record<string, string>>): AppError {
    return new AppError(this.code, this.message, { cause: this.cause, headers: { ...this.headers, ...headers } });
  }
}

export function toEnvelope(error: AppError, requestId: string): ErrorEnvelope {
  return { error: { code: error.code, message: error.message, requestId } };
}

/** Codes of Fastify and of Node's HTTP parser that a client can cause. */
const FRAMEWORK_CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'send Content-Type: application/json'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'send Content-Type: application/json'],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'the URL cannot be decoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'there is nothing here'],
  FST_ERR_ASYNC_CONSTRAINT: ['INVALID_REQUEST', 'the request cannot be routed'],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'the request headers are larger than 32 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request did not arrive in time'],
};

/** Any thrown value as an answer: what is not known is INTERNAL and tells nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const known = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined;
  if (known) return new AppError(known[0], known[1], { cause: error });
  if (typeof code === 'string' && code.startsWith('HPE_')) {
    return new AppError('INVALID_REQUEST', 'this is not valid HTTP/1.1', { cause: error });
  }
  return new AppError('INTERNAL', 'something went wrong on our side', { cause: error });
}
