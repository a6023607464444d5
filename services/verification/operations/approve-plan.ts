import { sql } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { brokenConstraint } from '../../store/unique.ts';
import { storeEvent } from '../records/events.ts';
import { findPlan, lockPlan, type PlanRecord } from '../records/plan-records.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { assertSamePlan } from './check-actions.ts';
import { type ApprovalWrite, defineApproval, isProposer, readApproval } from './write-approval.ts';

/**
 * Approves the plan with this hash. The last approval that the plan needs closes the plan that it supersedes. Rules
 * can ask for more approvals than the plan needs, so it takes them until it closes.
 * @throws {ServiceError} APPROVAL_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED
 */
export const approvePlan = defineApproval({
  operation: 'approve_plan',
  readArguments: readApproval,
  notAllowed,
  apply: approve,
});

function notAllowed(
  message = 'a plan is approved with a key of role approver that did not create it, and is not of the group of the key that did',
) {
  return new ServiceError('APPROVAL_NOT_ALLOWED', message);
}

async function approve(transaction: TenantTransaction, { plan, planHash, caller }: ApprovalWrite): Promise<unknown> {
  if (isProposer(caller, plan)) throw notAllowed();
  assertSamePlan(plan, planHash);
  const document = readPlanDocument(plan);
  if (plan.state !== 'draft' && plan.state !== 'approved') {
    throw new ServiceError('PLAN_CLOSED', `the plan is ${plan.state}`);
  }
  // Executions of the earlier plan that are recorded now end before the approval has its time.
  if (document.supersedes !== null) await lockPlan(transaction, document.supersedes);
  await insertApprover(transaction, plan, caller);
  if (plan.approvals.length + 1 === plan.needed) await complete(transaction, plan, caller);
  const after = defined(await findPlan(transaction, plan.plan_id));
  assertStored(after.approvals.find(({ by }) => by === caller.keyId)?.group, caller.group);
  return {
    plan_id: plan.plan_id,
    state: after.state,
    plan_hash: planHash,
    approval: toApproval(after),
    approvals: toApprovals(after),
  };
}

/** @throws {ServiceError} APPROVAL_NOT_ALLOWED for a key whose group has approved the plan */
async function insertApprover(transaction: TenantTransaction, plan: PlanRecord, caller: Caller): Promise<void> {
  const { plan_id, plan_hash } = plan;
  try {
    await transaction
      .insertInto('verification.plan_approver')
      .values({
        tenant_id: caller.tenantId,
        plan_id,
        plan_hash,
        approved_by: caller.keyId,
        approver_group: caller.group,
      })
      .execute();
  } catch (error) {
    if (brokenConstraint(error) === undefined) throw error;
    throw notAllowed('this key, or a key of its group, has approved the plan: another approver is needed');
  }
}

/** Approves the plan: it has as many approvals as it needs. */
async function complete(transaction: TenantTransaction, plan: PlanRecord, caller: Caller): Promise<void> {
  await sql`
    INSERT INTO verification.approval (tenant_id, plan_id, plan_hash, proposed_by, approved_by, approved_at)
    SELECT tenant_id, plan_id, plan_hash, ${plan.created_by}::uuid, approved_by, approved_at
    FROM verification.plan_approver WHERE plan_id = ${plan.plan_id} AND approved_by = ${caller.keyId}`.execute(
    transaction,
  );
  await storeEvent(transaction, caller, { type: 'plan.approved', plan_id: plan.plan_id });
}

/** The approval of a plan as answers have it: that of the last key that was needed. */
export function toApproval({ approved_by: by, approved_at: at, expires_at }: PlanRecord) {
  return by === null ? null : { by, at, expires_at };
}

/** The approvals that a plan needs and has. */
export const toApprovals = (plan: PlanRecord) => ({
  needed: plan.needed,
  given: plan.approvals,
});

/** Which key withdrew an approval, or approved and was revoked, first. */
export const toWithdrawn = ({ withdrawn_by: by, withdrawn_at: at }: PlanRecord) =>
  at === null ? {} : { withdrawn: { by, at } };
