import { sql } from 'kysely';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** A stored check of actions, with its result. */
export interface CheckRecord {
  readonly check_id: string;
  readonly plan_id: string;
  readonly kind: 'plan_alignment' | 'constraints';
  readonly mode: 'prefix' | 'complete' | 'recorded';
  /** JCS. */
  readonly actions: string;
  readonly intents_hash: string;
  /** JCS. */
  readonly result: string;
  readonly verdict: string;
  /** Group of the key that requested it. */
  readonly owner: string;
  /** Made before the plan was approved. */
  readonly is_preview: boolean;
  readonly checked_at: string;
}

export async function findCheck(transaction: TenantTransaction, checkId: string): Promise<CheckRecord | undefined> {
  const { rows } = await sql<CheckRecord>`
    SELECT check_id, plan_id, kind, mode, actions, intents_hash, result, verdict, owner, is_preview,
      verification.to_text(checked_at) AS checked_at
    FROM verification.plan_check WHERE check_id = ${checkId}`.execute(transaction);
  return rows[0];
}
