import { LanguageError } from '../../exact/language-error.ts';

/**
 * Takes a string as it is: nothing is normalised, so that what was hashed is what is compared.
 * @throws {LanguageError} MALFORMED_VALUE, MALFORMED_STRING (lone surrogates have no UTF-8, PostgreSQL has no NUL),
 * STRING_TOO_LONG
 */
export function parseString(json: unknown, maxCodePoints: number, path: string): string {
  if (typeof json !== 'string') throw new LanguageError('MALFORMED_VALUE', path, 'is not a string');
  if (!json.isWellFormed() || json.includes('\0')) {
    throw new LanguageError('MALFORMED_STRING', path, 'has a lone surrogate or a NUL');
  }
  if (json.length <= maxCodePoints || codePointsOf(json) <= maxCodePoints) return json;
  throw new LanguageError('STRING_TOO_LONG', path, `has more than ${maxCodePoints} code points`);
}

/** How many code points a well-formed string has: its UTF-16 units less one for each surrogate pair. */
export function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
