import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { findPlan } from '../records/plan-records.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { toApprovals, toWithdrawn } from './approve-plan.ts';
import { assertSamePlan } from './check-actions.ts';
import { type ApprovalWrite, defineApproval, readApproval } from './write-approval.ts';

/**
 * Withdraws the approval that a key of the caller's group gave. It ends the plan: nothing more is recorded under it. What was
 * recorded before stays, and can be verified.
 * @throws {ServiceError} APPROVAL_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED
 */
export const withdrawApproval = defineApproval({
  operation: 'withdraw_approval',
  readArguments: readApproval,
  notAllowed,
  apply: withdraw,
});

function notAllowed() {
  return new ServiceError(
    'APPROVAL_NOT_ALLOWED',
    'an approval is withdrawn with the key that gave it, or with another approver key of its group',
  );
}

async function withdraw(transaction: TenantTransaction, { plan, planHash, caller }: ApprovalWrite): Promise<unknown> {
  assertSamePlan(plan, planHash);
  if (plan.approvals.every(({ group }) => group !== caller.group)) throw notAllowed();
  if (plan.state === 'rejected' || plan.state === 'superseded' || plan.state === 'withdrawn') {
    throw new ServiceError('PLAN_CLOSED', `the plan is ${plan.state}`);
  }
  await transaction
    .insertInto('verification.plan_withdrawal')
    .values({ tenant_id: caller.tenantId, plan_id: plan.plan_id, withdrawn_by: caller.keyId })
    .execute();
  const after = defined(await findPlan(transaction, plan.plan_id));
  assertStored(after.withdrawn_by, caller.keyId);
  return {
    plan_id: plan.plan_id,
    state: after.state,
    plan_hash: planHash,
    approvals: toApprovals(after),
    ...toWithdrawn(after),
  };
}
