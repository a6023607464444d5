import type { AccessKind } from '../../store/database.ts';
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
