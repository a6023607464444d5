export type LanguageErrorCode =
  | 'MALFORMED_TYPE'
  | 'MALFORMED_VALUE'
  | 'MALFORMED_NUMBER'
  | 'TOO_MANY_DIGITS'
  | 'WRONG_SCALE'
  | 'OUT_OF_RANGE'
  | 'UNKNOWN_VALUE'
  | 'MALFORMED_STRING'
  | 'STRING_TOO_LONG'
  | 'MALFORMED_EXPRESSION'
  | 'UNKNOWN_OPERATOR'
  | 'WRONG_ARITY'
  | 'TYPE_MISMATCH'
  | 'UNKNOWN_NAME'
  | 'UNKNOWN_STEP'
  | 'OUT_OF_SCOPE'
  | 'NOT_A_LITERAL'
  | 'DIVISION_BY_ZERO'
  | 'TOO_MANY_NODES'
  | 'TOO_DEEP'
  | 'TOO_LARGE'
  | 'TOO_MANY_VARIABLES';

/** What was written is not of the language: material for `invalid_input`. */
export class LanguageError extends Error {
  override readonly name = 'LanguageError';
  readonly code: LanguageErrorCode;
  /** Where, as a JSON pointer (RFC 6901). */
  readonly path: string;

  constructor(code: LanguageErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
