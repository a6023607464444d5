export type DocumentErrorCode =
  | 'MALFORMED_TYPE'
  | 'MALFORMED_VALUE'
  | 'MALFORMED_NUMBER'
  | 'TOO_MANY_DIGITS'
  | 'WRONG_SCALE'
  | 'OUT_OF_RANGE'
  | 'NOT_FOLDED'
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

/**
 * A fault in a value, a type or an expression of a document that a caller wrote: a plan, a sheet, actions, evidence or
 * a selection. The message is a predicate of the value at `path`, such as `is not a string`.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;
  /** JSON pointer (RFC 6901) to the fault. */
  readonly path: string;

  constructor(code: DocumentErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
