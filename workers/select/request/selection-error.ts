import type { LanguageErrorCode } from '../../exact/language-error.ts';

export type SelectionErrorCode =
  | 'MALFORMED_SELECTION'
  | 'DUPLICATE_ID'
  | 'UNKNOWN_ITEM'
  | 'MISSING_VALUE'
  | 'TOO_MANY_ATTRIBUTES'
  | Extract<LanguageErrorCode, 'MALFORMED_NUMBER' | 'TOO_MANY_DIGITS' | 'WRONG_SCALE'>;

/** A selection that cannot be meant as it is written: nothing was searched. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
  readonly code: SelectionErrorCode;
  /** Where, as a JSON pointer (RFC 6901). */
  readonly path: string;

  constructor(code: SelectionErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
