import type { AccessKind } from '../../store/retention-tables.ts';
import type { RetainedClaim } from './retained-claims.ts';

export interface LedgerPosition {
  readonly network: string;
  readonly epoch: string;
  readonly sequence: bigint;
}

/** What a trial reserved. */
export interface ReservedTrial {
  /** Address in lower case. */
  readonly wallet: string;
  readonly nonce: string;
  readonly amountMicroUsd: bigint;
}

export interface RetainedCall {
  /** UUIDv7. Its timestamp selects the partition. */
  readonly recordId: string;
  /** The X-Request-Id of the call, a UUIDv7. Gateways of earlier releases do not send it. */
  readonly requestId?: string | undefined;
  readonly access: AccessKind;
  readonly operation: string;
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
  readonly dueAt: Date;
  readonly ledgerPosition?: LedgerPosition | undefined;
  /** Set for a trial: its charge can be recovered from it. Earlier releases do not set it. */
  readonly reservedTrial?: ReservedTrial | undefined;
  /** Set for a payment: its claim can be rebuilt from it. */
  readonly claim?: RetainedClaim | undefined;
}
