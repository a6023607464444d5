import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';

/** Parses a body as the service does. @throws {AppError} INVALID_JSON */
export function parseArguments(body: string): unknown {
  try {
    return parseStrictJson(body, ARGUMENTS_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new AppError('INVALID_JSON', error.message, { cause: error });
  }
}
