import type { Generated } from 'kysely';

/** What a key may do: propose and record, approve, or read. */
export type KeyRole = 'agent' | 'approver' | 'reader';

export interface VerificationTables {
  'verification.tenant': { tenant_id: string; name: string; created_at: Generated<Date> };
  'verification.api_key': {
    key_id: string;
    tenant_id: string;
    role: KeyRole;
    key_hash: Buffer;
    created_at: Generated<Date>;
    revoked_at: Date | null;
  };
  'verification.guarded_mutation': {
    tenant_id: string;
    idempotency_key: string;
    request_hash: string;
    /** JCS of the answer; null only within the transaction that applies the mutation. */
    answer: string | null;
    created_at: Generated<Date>;
  };
  'verification.revenue_freeze': { is_frozen: boolean; changed_at: Generated<Date>; lock_only: Generated<boolean> };
}
