import { DocumentError } from '../../exact/document-error.ts';

/**
 * Reads a string without normalizing it, so that the string that is compared is the one that was hashed.
 * @throws {DocumentError} MALFORMED_VALUE, MALFORMED_STRING (lone surrogates have no UTF-8, PostgreSQL has no NUL),
 * STRING_TOO_LONG
 */
export function parseString(json: unknown, maxCodePoints: number, path: string): string {
  if (typeof json !== 'string') throw new DocumentError('MALFORMED_VALUE', path, 'is not a string');
  if (!json.isWellFormed() || json.includes('\0')) {
    throw new DocumentError('MALFORMED_STRING', path, 'has a lone surrogate or a NUL');
  }
  if (json.length <= maxCodePoints || codePointsOf(json) <= maxCodePoints) return json;
  throw new DocumentError('STRING_TOO_LONG', path, `has more than ${maxCodePoints} code points`);
}

/** The number of code points of a well-formed string. */
export function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
