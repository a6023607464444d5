import { sql } from 'kysely';
import { onlyRow } from '../../store/rows.ts';
import { findSheetTexts } from '../sheets/sheet-records.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

export type PlanState = 'draft' | 'approved' | 'superseded' | 'expired';

/** A plan with its state by the database's clock. Times are RFC 3339, UTC, with microseconds. */
export interface PlanRecord {
  readonly plan_id: string;
  /** JCS. */
  readonly document: string;
  /** Texts of the sheets that it uses. */
  readonly sheets: readonly string[];
  readonly plan_hash: string;
  readonly lint: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly approved_by: string | null;
  readonly approved_at: string | null;
  readonly executions: number;
  readonly state: PlanState;
}

/** Finds a plan. Returns undefined if it does not exist, or belongs to another tenant. */
export async function findPlan(transaction: TenantTransaction, planId: string): Promise<PlanRecord | undefined> {
  const { rows } = await sql<Omit<PlanRecord, 'sheets'>>`
    SELECT plan.plan_id, document, plan.plan_hash, lint, created_by, approved_by, coalesce(executions, 0) AS executions,
      verification.to_text(created_at) AS created_at,
      verification.to_text(expires_at) AS expires_at,
      verification.to_text(approved_at) AS approved_at,
      CASE WHEN EXISTS (
          SELECT FROM verification.plan AS successor JOIN verification.approval USING (tenant_id, plan_id)
          WHERE successor.supersedes = plan.plan_id) THEN 'superseded'
        WHEN expires_at <= clock_timestamp() THEN 'expired'
        WHEN approved_at IS NOT NULL THEN 'approved'
        ELSE 'draft' END AS state
    FROM verification.plan LEFT JOIN verification.approval USING (tenant_id, plan_id)
    WHERE plan.plan_id = ${planId}`.execute(transaction);
  const [plan] = rows;
  return plan && { ...plan, sheets: await findSheetTexts(transaction, JSON.parse(plan.document)) };
}

/** Locks an approved plan until the transaction ends, so that no successor is approved meanwhile. */
export async function lockApproval(transaction: TenantTransaction, planId: string): Promise<void> {
  await transaction
    .selectFrom('verification.approval')
    .select('plan_id')
    .where('plan_id', '=', planId)
    .forUpdate()
    .execute();
}

/** The database's clock. */
export async function readClock(transaction: TenantTransaction): Promise<string> {
  const { rows } = await sql<{ now: string }>`SELECT verification.to_text(clock_timestamp()) AS now`.execute(
    transaction,
  );
  return onlyRow(rows).now;
}
