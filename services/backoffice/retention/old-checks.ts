import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import { MAX_EXPIRY_GRACE_MS } from '../../verification/contract/arguments.ts';

const DAY_MS = 86_400_000;
const BATCH = 500;

export interface OldChecks {
  readonly database: Database;
  /** A check is old after this many days. */
  readonly days: number;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * Deletes the old checks of actions with which no execution was recorded, nor can be any more: their plan expired longer ago
 * than any grace. The answers of the requests that made them go, too; the idempotency keys stay. Copies may run it at
 * the same time. @returns the number of checks
 */
export async function deleteOldChecks(options: OldChecks, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  let from: Date | null = new Date(0);
  while (from !== null && !signal.aborted) {
    const { checks, last }: Batch = await deleteBatch(options, from);
    deleted += checks;
    from = last;
  }
  return deleted;
}

interface Batch {
  readonly checks: number;
  /** When the last of them was made. Null if there was none. */
  readonly last: Date | null;
}

/** If an execution takes one of the checks meanwhile, its foreign keys refuse the deletion. */
async function deleteBatch({ database, days, nowMs }: OldChecks, from: Date): Promise<Batch> {
  const { rows } = await sql<Batch>`
    WITH old AS MATERIALIZED (
      SELECT tenant_id, check_id, checked_at FROM verification.plan_check c
      JOIN verification.plan p USING (tenant_id, plan_id)
      WHERE checked_at >= ${from} AND checked_at < ${new Date(nowMs - days * DAY_MS)}
        AND p.expires_at < ${new Date(nowMs - MAX_EXPIRY_GRACE_MS)}
        AND NOT EXISTS (SELECT FROM verification.execution e
          WHERE e.tenant_id = c.tenant_id AND e.alignment_check_id = c.check_id)
        AND NOT EXISTS (SELECT FROM verification.execution e
          WHERE e.tenant_id = c.tenant_id AND e.constraints_check_id = c.check_id)
      ORDER BY checked_at LIMIT ${BATCH} FOR UPDATE OF c SKIP LOCKED
    ), answers AS (
      UPDATE verification.guarded_mutation m SET answer = NULL FROM old
      WHERE m.tenant_id = old.tenant_id AND starts_with(m.answer, '{"check_id":"')
        AND substr(m.answer, 14, 36) = old.check_id::text
    ), checks AS (
      DELETE FROM verification.plan_check c USING old
      WHERE c.tenant_id = old.tenant_id AND c.check_id = old.check_id
    )
    SELECT count(*)::int AS checks, max(checked_at) AS last FROM old`.execute(database);
  return onlyRow(rows);
}
