import type { RetainedClaim } from './retained-claims.ts';

/** A paid call. */
export interface RetainedCall {
  /** UUIDv7. Its timestamp selects the partition. */
  readonly recordId: string;
  /** The X-Request-Id of the call, a UUIDv7. */
  readonly requestId?: string | undefined;
  readonly operation: string;
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
  readonly dueAt: Date;
  /** The claim of the payment can be rebuilt from it. */
  readonly claim: RetainedClaim;
}
