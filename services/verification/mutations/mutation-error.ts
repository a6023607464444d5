export type MutationErrorCode = 'IDEMPOTENCY_KEY_REUSED' | 'REVENUE_WRITES_FROZEN';

/** A write that was not applied, and of which nothing is stored. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
  readonly code: MutationErrorCode;

  constructor(code: MutationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
