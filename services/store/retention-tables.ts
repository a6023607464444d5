export type AccessKind = 'trial' | 'payment' | 'channel';

/** The bodies of an executed call, encrypted. */
export interface RetainedBodyTable {
  /** YYYY-MM-DD, UTC. */
  day: string;
  record_id: string;
  access: AccessKind;
  operation: string;
  key_id: string;
  request_body: Buffer;
  response_body: Buffer;
  created_at: Date;
  /** The X-Request-Id of the call. Null if an earlier release stored it. */
  request_id: string | null;
}

/**
 * What a trial or a call of a channel reserved. The wallet of the latter is its channel, and the nonce its voucher. Null for
 * payments, and for trials that an earlier release stored.
 */
interface ReservedTrialColumns {
  ledger_network: string | null;
  ledger_epoch: string | null;
  ledger_sequence: bigint | null;
  wallet: string | null;
  nonce: string | null;
  amount_micro_usd: bigint | null;
}

export interface RetentionTables {
  /** One partition for each UTC day. */
  retained_body: RetainedBodyTable & ReservedTrialColumns;
  /** Bodies past their deletion day whose payment or trial is still open. */
  retained_body_held: RetainedBodyTable;
  /** The keys with which a back office has started. */
  retention_key: { key_id: string; fingerprint: Buffer; recorded_at: Date };
  obligation: { record_id: string; access: AccessKind; due_at: Date; attempts: number };
}
