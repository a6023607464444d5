const CODES = [
  'MALFORMED_SELECTION',
  'DUPLICATE_ID',
  'UNKNOWN_ITEM',
  'MISSING_VALUE',
  'TOO_MANY_ATTRIBUTES',
  'MALFORMED_NUMBER',
  'TOO_MANY_DIGITS',
  'WRONG_SCALE',
] as const;
export type SelectionErrorCode = (typeof CODES)[number];

export const isSelectionErrorCode = (code: string): code is SelectionErrorCode => CODES.some((known) => known === code);

/** A fault in a selection. Nothing was searched. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
  readonly code: SelectionErrorCode;
  /** JSON pointer (RFC 6901) to the fault. */
  readonly path: string;

  constructor(code: SelectionErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
