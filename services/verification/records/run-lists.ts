import { sql } from 'kysely';
import type { ListExecutionsAnswer, ListedExecution, ListedProof, ListProofsAnswer } from '../contract/lists.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { listNewest, type PageRequest } from './newest-rows.ts';

interface OfPlan extends PageRequest {
  readonly plan_id?: string;
}

const amongPlan = (planId: string | undefined) =>
  planId === undefined ? undefined : sql`execution.plan_id = ${planId}`;
const TITLE = sql`plan.document::json ->> 'title' AS title`;
/** An execution that was refused when it was recorded is refuted. */
const STATE = sql`CASE WHEN refusal.execution_id IS NULL THEN execution.state ELSE 'refuted' END`;

/** A page of executions, of every state and plan if undefined. */
export async function listExecutions(
  transaction: TenantTransaction,
  { state, plan_id: planId, ...page }: OfPlan & { readonly state?: string },
): Promise<ListExecutionsAnswer> {
  const { rows, next_cursor } = await listNewest<ListedExecution>(
    transaction,
    {
      id: 'execution.execution_id',
      columns: sql`
        execution.execution_id, execution.plan_id, ${TITLE}, ${STATE} AS state,
        verification.to_text(received_at) AS received_at, execution.owner,
        (SELECT count(*)::integer FROM verification.action
          WHERE action.tenant_id = execution.tenant_id AND action.execution_id = execution.execution_id) AS actions`,
      from: sql`verification.execution`,
      joined: sql`
        JOIN verification.plan ON plan.tenant_id = execution.tenant_id AND plan.plan_id = execution.plan_id
        LEFT JOIN verification.refusal
          ON refusal.tenant_id = execution.tenant_id AND refusal.execution_id = execution.execution_id`,
      among: amongPlan(planId),
      where: state === undefined ? undefined : sql`${STATE} = ${state}`,
    },
    page,
  );
  return { executions: [...rows], next_cursor };
}

/** A page of proofs, of every plan if undefined. */
export async function listProofs(
  transaction: TenantTransaction,
  { plan_id: planId, ...page }: OfPlan,
): Promise<ListProofsAnswer> {
  const { rows, next_cursor } = await listNewest<ListedProof>(
    transaction,
    {
      id: 'proof.proof_id',
      columns: sql`
        proof_id, execution.execution_id, execution.plan_id, ${TITLE}, log_index::float8 AS log_index,
        convert_from(decode(file::json #>> '{envelope,payload}', 'base64'), 'UTF8')::json
          #>> '{predicate,verified_at}' AS verified_at`,
      from: sql`verification.proof JOIN verification.execution USING (tenant_id, execution_id)`,
      joined: sql`JOIN verification.plan USING (tenant_id, plan_id)`,
      among: amongPlan(planId),
    },
    page,
  );
  return { proofs: [...rows], next_cursor };
}
