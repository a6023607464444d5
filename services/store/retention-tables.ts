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
  /** The X-Request-Id of the call. Null if the caller named none. */
  request_id: string | null;
}

export interface RetentionTables {
  /** One partition for each UTC day. */
  retained_body: RetainedBodyTable;
  /** Bodies past their deletion day whose payment is still open. */
  retained_body_held: RetainedBodyTable;
  /** The keys with which a back office has started. */
  retention_key: { key_id: string; fingerprint: Buffer; recorded_at: Date };
}
