import { CLIENT_ERRORS } from './client-errors.ts';
import type { ErrorEntry } from './error-entry.ts';
import { INTERNAL_ERRORS } from './internal-errors.ts';
import { REFUSAL_ERRORS } from './refusal-errors.ts';
import { SERVER_ERRORS } from './server-errors.ts';

/** Every error code. Its statuses, meaning and remedy are written nowhere else. */
export const ERROR_CODES = { ...CLIENT_ERRORS, ...REFUSAL_ERRORS, ...SERVER_ERRORS, ...INTERNAL_ERRORS };

type Table = typeof ERROR_CODES;
type CodesWith<Field extends keyof ErrorEntry> = {
  [Code in keyof Table]: Table[Code] extends Readonly<Record<Field, unknown>> ? Code : never;
}[keyof Table];

/** A code that the API answers with. */
export type ErrorCode = CodesWith<'http'>;
/** A code that a service answers with. */
export type ServiceErrorCode = CodesWith<'grpc'>;
/** A code of a service that the gateway passes on to the caller, with its message. */
export type ForwardedErrorCode = CodesWith<'forwarded'>;
