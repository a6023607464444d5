export type PlanErrorCode =
  | 'MALFORMED_PLAN'
  | 'MALFORMED_ACTIONS'
  | 'DUPLICATE_ID'
  | 'UNKNOWN_TOOL'
  | 'UNKNOWN_STEP'
  | 'UNKNOWN_FIELD'
  | 'CYCLIC_ORDER'
  | 'IMPOSSIBLE_COUNT'
  | 'TOO_MANY_ACTIONS'
  | 'UNKNOWN_PURE_TOOL'
  | 'WRONG_REPLAY'
  | 'MALFORMED_SHEET'
  | 'UNKNOWN_SHEET'
  | 'UNBOUND_VARIABLE';

/** A plan, or a sheet, that cannot be meant as it is written: material for `invalid_input`. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code: PlanErrorCode;
  /** Where, as a JSON pointer (RFC 6901). */
  readonly path: string;

  constructor(code: PlanErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
