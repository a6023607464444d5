/** A remark about a part of a plan. */
export interface Finding {
  readonly code: string;
  /** JSON pointer (RFC 6901) into the plan. */
  readonly path: string;
  readonly message: string;
}
