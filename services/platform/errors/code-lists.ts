import { ERROR_CODES, type ErrorCode, type ForwardedErrorCode, type ServiceErrorCode } from './error-codes.ts';

type Code = keyof typeof ERROR_CODES;

const isCode = (text: string): text is Code => Object.hasOwn(ERROR_CODES, text);
const isPublicCode = (code: Code): code is ErrorCode => 'http' in ERROR_CODES[code];

/** Whether a text is a code that a service may answer with. */
export const isServiceCode = (text: string): text is ServiceErrorCode => isCode(text) && 'grpc' in ERROR_CODES[text];

/** Whether the gateway passes a service's code and message on to the caller. */
export const isForwardedCode = (text: string): text is ForwardedErrorCode =>
  isCode(text) && 'forwarded' in ERROR_CODES[text];

/** Every code, in the order of the table. */
export const ALL_CODES: readonly Code[] = Object.keys(ERROR_CODES).filter(isCode);

/** Every code of the API, in the order of the table: ascending HTTP statuses. */
export const PUBLIC_CODES: readonly ErrorCode[] = ALL_CODES.filter(isPublicCode);
