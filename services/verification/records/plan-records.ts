import { sql } from 'kysely';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { onlyRow } from '../../store/rows.ts';
import { tablesNamedBy, toolsNamedBy } from '../catalogue/named-parts.ts';
import { type PlanTool, toolsOf } from '../catalogue/plan-tools.ts';
import { findTableTexts, type TableText } from '../catalogue/table-records.ts';
import { findToolTexts } from '../catalogue/tool-records.ts';
import type { ListedPlan, ListPlansAnswer } from '../contract/lists.ts';
import { findSheetTexts } from '../sheets/sheet-records.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { listNewest, type PageRequest } from './newest-rows.ts';
import { readPlanDocument, readToolDocument } from './stored-documents.ts';

/** `withdrawn`: an approval was withdrawn, or the key that gave it was revoked. */
export type PlanState = 'draft' | 'approved' | 'rejected' | 'superseded' | 'withdrawn' | 'expired';

/** A key that approved a plan. */
export interface Approval {
  readonly by: string;
  readonly group: string;
  readonly at: string;
}

/** Who rejected a draft, when and why. All are null if nobody did. */
interface Rejection {
  readonly rejected_by: string | null;
  readonly rejected_at: string | null;
  readonly reason: string | null;
}

/** A plan with its state by the database's clock. Times are RFC 3339, UTC, with microseconds. */
export interface PlanRecord extends Rejection {
  readonly plan_id: string;
  /** JCS. */
  readonly document: string;
  /** Texts of the sheets that it uses. */
  readonly sheets: readonly string[];
  /** Texts of the descriptions of tools that it names. */
  readonly tools: readonly string[];
  readonly plan_hash: string;
  readonly lint: string;
  readonly created_by: string;
  readonly proposer_group: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** How many approvals it needs. */
  readonly needed: number;
  /** The keys that approved it, in order: as many as it needs, once it is approved. */
  readonly approvals: readonly Approval[];
  /** The last key that was needed, and when. */
  readonly approved_by: string | null;
  readonly approved_at: string | null;
  readonly executions: number;
  /** The key that withdrew an approval, or that approved and was revoked, first, and when. */
  readonly withdrawn_by: string | null;
  readonly withdrawn_at: string | null;
  readonly state: PlanState;
}

/** The state of a plan that is joined to `WITH_STATE`, by the database's clock. What was rejected stays it, whatever comes later. */
const STATE = sql`
  CASE WHEN rejected_at IS NOT NULL THEN 'rejected'
    WHEN EXISTS (
      SELECT FROM verification.plan AS successor JOIN verification.approval USING (tenant_id, plan_id)
      WHERE successor.supersedes = plan.plan_id) THEN 'superseded'
    WHEN withdrawn_at IS NOT NULL THEN 'withdrawn'
    WHEN expires_at <= clock_timestamp() THEN 'expired'
    WHEN approved_at IS NOT NULL THEN 'approved'
    ELSE 'draft' END`;

/** A plan of format 1 needs one approval. */
const NEEDED = sql`coalesce((document::json ->> 'approvals')::integer, 1)`;

const REJECTION = sql`rejected_by, verification.to_text(rejected_at) AS rejected_at, reason`;

/** What decides the state of plans. */
const WITH_STATE = sql`
  LEFT JOIN verification.approval USING (tenant_id, plan_id)
  LEFT JOIN verification.plan_rejection USING (tenant_id, plan_id)
  LEFT JOIN LATERAL (
    SELECT withdrawn_by, withdrawn_at FROM verification.plan_withdrawal WHERE plan_withdrawal.plan_id = plan.plan_id
    UNION ALL
    SELECT by, at FROM (
      SELECT approved_by AS by, verification.key_revoked_at(approved_by) AS at
      FROM verification.plan_approver WHERE plan_approver.plan_id = plan.plan_id) AS approver
    WHERE at IS NOT NULL
    ORDER BY withdrawn_at LIMIT 1) AS withdrawal ON true`;

/** Finds a plan. Returns undefined if it does not exist, or belongs to another tenant. */
export async function findPlan(transaction: TenantTransaction, planId: string): Promise<PlanRecord | undefined> {
  const { rows } = await sql<Omit<PlanRecord, 'sheets' | 'tools' | 'approvals'>>`
    SELECT plan.plan_id, document, plan.plan_hash, lint, created_by, approved_by, coalesce(executions, 0) AS executions,
      proposer_group, ${NEEDED} AS needed,
      verification.to_text(created_at) AS created_at,
      verification.to_text(expires_at) AS expires_at,
      verification.to_text(approved_at) AS approved_at,
      withdrawn_by, verification.to_text(withdrawn_at) AS withdrawn_at,
      ${REJECTION}, ${STATE} AS state
    FROM verification.plan ${WITH_STATE}
    WHERE plan.plan_id = ${planId}`.execute(transaction);
  const [plan] = rows;
  if (plan === undefined) return undefined;
  const document: unknown = JSON.parse(plan.document);
  return {
    ...plan,
    sheets: await findSheetTexts(transaction, document),
    tools: await findToolTexts(transaction, toolsNamedBy(document)),
    approvals: await findApprovals(transaction, planId),
  };
}

/** A page of plans, of every state if undefined. */
export async function listPlans(
  transaction: TenantTransaction,
  { state, ...page }: PageRequest & { readonly state?: string },
): Promise<ListPlansAnswer> {
  const { rows, next_cursor } = await listNewest<Listed>(
    transaction,
    {
      id: 'plan.plan_id',
      columns: sql`
        plan.plan_id, ${STATE} AS state, plan.plan_hash, document::json ->> 'title' AS title, ${NEEDED} AS needed,
        (SELECT count(*)::integer FROM verification.plan_approver WHERE plan_approver.plan_id = plan.plan_id) AS given,
        verification.to_text(created_at) AS created_at, verification.to_text(expires_at) AS expires_at, ${REJECTION}`,
      from: sql`verification.plan`,
      joined: WITH_STATE,
      where: state === undefined ? undefined : sql`${STATE} = ${state}`,
    },
    page,
  );
  return { plans: rows.map(toListed), next_cursor };
}

type Listed = Omit<ListedPlan, 'approvals' | 'rejected'> &
  Rejection & { readonly needed: number; readonly given: number };

const toListed = ({ needed, given, rejected_by, rejected_at, reason, ...plan }: Listed): ListedPlan => ({
  ...plan,
  approvals: { needed, given },
  ...toRejected({ rejected_by, rejected_at, reason }),
});

/** Which key rejected a plan, when and why. */
export const toRejected = ({ rejected_by: by, rejected_at: at, reason }: Rejection) =>
  by === null || at === null || reason === null ? {} : { rejected: { by, at, reason } };

async function findApprovals(transaction: TenantTransaction, planId: string): Promise<readonly Approval[]> {
  const { rows } = await sql<Approval>`
    SELECT approved_by AS by, approver_group AS group, verification.to_text(approved_at) AS at
    FROM verification.plan_approver WHERE plan_id = ${planId} ORDER BY plan_approver.approved_at, by`.execute(
    transaction,
  );
  return rows;
}

/**
 * The plan with whose payees those of a plan are compared: the one that it replaces, if that was approved and not withdrawn, else the newest
 * earlier one with the same steps and tools that has a proof. Undefined if there is none.
 */
export async function findCompared(transaction: TenantTransaction, planId: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly plan_id: string | null }>`
    SELECT coalesce(
      (SELECT replaced.plan_id FROM verification.plan AS replaced JOIN verification.approval USING (tenant_id, plan_id)
        WHERE replaced.plan_id = own.supersedes AND replaced.steps_digest IS NOT NULL AND approved_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM verification.plan_withdrawal WHERE plan_withdrawal.plan_id = replaced.plan_id)),
      (SELECT alike.plan_id FROM verification.plan AS alike
        WHERE alike.steps_digest = own.steps_digest AND alike.plan_id < own.plan_id AND EXISTS (
          SELECT FROM verification.execution JOIN verification.proof USING (tenant_id, execution_id)
          WHERE execution.plan_id = alike.plan_id)
        ORDER BY alike.plan_id DESC LIMIT 1)) AS plan_id
    FROM verification.plan AS own WHERE own.plan_id = ${planId}`.execute(transaction);
  return rows[0]?.plan_id ?? undefined;
}

/** What every task of the solver has of a plan. */
export interface PlanParts {
  readonly plan: string;
  readonly sheets: readonly string[];
  readonly tools?: readonly string[];
  readonly tables?: readonly TableText[];
}

/** The documents that a plan consists of. */
export async function findParts(
  transaction: TenantTransaction,
  { document, sheets, tools }: Pick<PlanRecord, 'document' | 'sheets' | 'tools'>,
): Promise<PlanParts> {
  const hashes = tablesNamedBy(JSON.parse(document)).map(({ sha256 }) => sha256);
  const tables = await findTableTexts(transaction, hashes);
  return {
    plan: document,
    sheets,
    ...(tools.length === 0 ? {} : { tools }),
    ...(tables.length === 0 ? {} : { tables }),
  };
}

/** The descriptions of the catalogue that a stored plan names. */
export const describedTools = ({ tools }: Pick<PlanRecord, 'tools'>): readonly ToolDocument[] =>
  tools.map(readToolDocument);

/** The tools of a stored plan. */
export const planTools = (record: Pick<PlanRecord, 'document' | 'tools'>): readonly PlanTool[] =>
  toolsOf(readPlanDocument(record), describedTools(record));

/** What the solver is told about the approvals of a plan. Those of a draft are not known yet. */
export function approvalFacts(record: Pick<PlanRecord, 'approvals' | 'approved_at'>) {
  if (record.approved_at === null) return {};
  return { approvals: record.approvals.map(({ at, group }) => ({ at, group })) };
}

/**
 * Locks a plan until the transaction ends: approvals and executions of it, and the approval of a successor, come one after the
 * other, in the order in which they ask. A row lock is not fair: while executions are recorded, each changes the row, and
 * later ones pass a waiting approval.
 */
export async function lockPlan(transaction: TenantTransaction, planId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${planId}, 20))`.execute(transaction);
}

/** The database's clock. */
export async function readClock(transaction: TenantTransaction): Promise<string> {
  const { rows } = await sql<{ now: string }>`SELECT verification.to_text(clock_timestamp()) AS now`.execute(
    transaction,
  );
  return onlyRow(rows).now;
}
