import type { AccessKind } from '../../store/retention-tables.ts';
import type { RetainedClaim } from './retained-claims.ts';

export interface LedgerPosition {
  readonly network: string;
  readonly epoch: string;
  readonly sequence: bigint;
}

/** What a trial or a call of a channel reserved. */
export interface ReservedTrial {
  /** Address in lower case, or id of the channel. */
  readonly wallet: string;
  /** Nonce of the proof, or the voucher as the ledger keeps it. */
  readonly nonce: string;
  readonly amountMicroUsd: bigint;
}

export interface RetainedVoucher {
  readonly channelId: string;
  readonly cumulativeMicroUsd: bigint;
  /** 65 bytes. */
  readonly signature: Buffer;
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
  /** Set for a trial and a channel: the charge can be recovered from it. Earlier releases do not set it. */
  readonly reservedTrial?: ReservedTrial | undefined;
  /** Set for a channel: what is charged is claimed with it. */
  readonly voucher?: RetainedVoucher | undefined;
  /** Set for a payment: its claim can be rebuilt from it. */
  readonly claim?: RetainedClaim | undefined;
}
