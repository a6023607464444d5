import { IDEMPOTENCY_KEY } from '../../services/verification/contract/arguments.ts';
import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';

const keyPattern = new RegExp(IDEMPOTENCY_KEY);

/** Parses a body as the service does. @throws {AppError} INVALID_JSON */
export function parseArguments(body: string): unknown {
  try {
    return parseStrictJson(body, ARGUMENTS_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new AppError('INVALID_JSON', error.message, { cause: error });
  }
}

/** Refuses a key as the service does, before anything is done under it. @throws {AppError} */
export function assertIdempotencyKey(key: string): void {
  if (key === '') throw new AppError('IDEMPOTENCY_KEY_REQUIRED', 'send an Idempotency-Key');
  if (!keyPattern.test(key)) {
    throw new AppError('MALFORMED_INPUT', 'the idempotency key must be 1 to 255 printable ASCII characters');
  }
}
