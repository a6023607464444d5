import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { RejectionArguments } from '../contract/arguments.ts';
import { storeEvent } from '../records/events.ts';
import { findPlan, toRejected } from '../records/plan-records.ts';
import { createArgumentsReader } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { toApprovals } from './approve-plan.ts';
import { assertSamePlan } from './check-actions.ts';
import { type ApprovalWrite, defineApproval, isProposer } from './write-approval.ts';

/**
 * Rejects a draft, whatever approvals it has. It ends the plan.
 * @throws {ServiceError} APPROVAL_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED
 */
export const rejectPlan = defineApproval({
  operation: 'reject_plan',
  readArguments: createArgumentsReader(RejectionArguments),
  notAllowed,
  apply: reject,
});

function notAllowed() {
  return new ServiceError(
    'APPROVAL_NOT_ALLOWED',
    'a plan is rejected with a key of role approver that did not create it, and is not of the group of the key that did',
  );
}

async function reject(
  transaction: TenantTransaction,
  { plan, planHash, sent: { reason }, caller }: ApprovalWrite<RejectionArguments>,
): Promise<unknown> {
  if (isProposer(caller, plan)) throw notAllowed();
  assertSamePlan(plan, planHash);
  if (plan.state !== 'draft') {
    const instead = plan.state === 'approved' ? ': withdraw an approval of it' : '';
    throw new ServiceError('PLAN_CLOSED', `the plan is ${plan.state}${instead}`);
  }
  await transaction
    .insertInto('verification.plan_rejection')
    .values({ tenant_id: caller.tenantId, plan_id: plan.plan_id, rejected_by: caller.keyId, reason })
    .execute();
  await storeEvent(transaction, caller, { type: 'plan.rejected', plan_id: plan.plan_id });
  const after = defined(await findPlan(transaction, plan.plan_id));
  assertStored(after.rejected_by, caller.keyId);
  return {
    plan_id: plan.plan_id,
    state: after.state,
    plan_hash: planHash,
    approvals: toApprovals(after),
    ...toRejected(after),
  };
}
