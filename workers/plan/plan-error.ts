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
  | 'UNBOUND_VARIABLE'
  // Of what plans refer to.
  | 'MALFORMED_TOOL'
  | 'WRONG_STATE'
  | 'UNKNOWN_TABLE'
  | 'WRONG_TABLE'
  | 'MALFORMED_TABLE'
  | 'DUPLICATE_KEY';

/** A fault of a plan, of a sheet or of a list of actions as a whole: its shape, its names, or how its parts refer to each other. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code: PlanErrorCode;
  /** JSON pointer (RFC 6901) to the fault. */
  readonly path: string;

  constructor(code: PlanErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
