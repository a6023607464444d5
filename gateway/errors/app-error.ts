import { ERROR_CODES, type ErrorCode } from '../../services/platform/errors/error-codes.ts';

export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
    readonly details?: readonly unknown[];
  };
}

export interface AppErrorOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Each fault alone, if there may be several. */
  readonly details?: readonly unknown[];
}

/** An error that becomes the answer to a request. The caller sees `message`; only the log sees `cause`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for most errors. */
  readonly details: readonly unknown[];

  constructor(code: ErrorCode, message: string, { headers = {}, details = [], ...options }: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.headers = headers;
    this.details = details;
  }

  get statusCode(): number {
    return ERROR_CODES[this.code].http;
  }

  /** The same error with more headers. */
  with(headers: Readonly<Record<string, string>>): AppError {
    const { code, message, cause, details } = this;
    return new AppError(code, message, { cause, details, headers: { ...this.headers, ...headers } });
  }
}

export function toEnvelope(error: AppError, requestId: string): ErrorEnvelope {
  const { code, message, details } = error;
  return { error: { code, message, requestId, ...(details.length === 0 ? {} : { details }) } };
}

interface KnownFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

const WRONG_MEDIA_TYPE: KnownFailure = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'send Content-Type: application/json',
};

/** Codes of Fastify and of Node's HTTP parser that a client can cause. */
const FRAMEWORK_CODES: ReadonlyMap<string, KnownFailure> = new Map([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', WRONG_MEDIA_TYPE],
  ['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', WRONG_MEDIA_TYPE],
  ['FST_ERR_BAD_URL', { code: 'INVALID_REQUEST', message: 'the URL cannot be decoded' }],
  ['FST_ERR_MAX_PARAM_LENGTH', { code: 'NOT_FOUND', message: 'there is nothing here' }],
  ['FST_ERR_ASYNC_CONSTRAINT', { code: 'INVALID_REQUEST', message: 'the request cannot be routed' }],
  ['HPE_HEADER_OVERFLOW', { code: 'HEADERS_TOO_LARGE', message: 'the request headers are larger than 32 KB' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { code: 'REQUEST_TIMEOUT', message: 'the request did not arrive in time' }],
]);

/** Converts any thrown value. An unknown error becomes INTERNAL, and nothing of it is shown to the caller. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const known = FRAMEWORK_CODES.get(code);
  if (known !== undefined) return new AppError(known.code, known.message, { cause: error });
  if (code.startsWith('HPE_')) return new AppError('INVALID_REQUEST', 'this is not valid HTTP/1.1', { cause: error });
  return new AppError('INTERNAL', 'something went wrong on our side', { cause: error });
}

/** The `code` of an error of Node or Fastify; empty for any other value. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
