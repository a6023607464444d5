import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import type { GuardedAnswer, OperationDeps } from '../context/operation.ts';
import { ApprovePlanArguments } from '../contract/arguments.ts';
import { findPlan, lockApproval, type PlanRecord } from '../records/plan-records.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { createArgumentsReader, notFound, readCaller, readId, readIdempotencyKey } from '../requests/requests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type GuardedRequest, guard } from './guarded.ts';

const readArguments = createArgumentsReader(ApprovePlanArguments);

/**
 * Approves the plan with this hash, and closes the plan that it supersedes.
 * @throws {ServiceError} APPROVAL_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED
 */
export async function approvePlan(
  deps: OperationDeps,
  request: GuardedRequest & { readonly planId: string },
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  if (caller.role !== 'approver') throw notAllowed();
  const idempotencyKey = readIdempotencyKey(request.idempotencyKey);
  const { plan_hash: planHash } = readArguments(request.arguments);
  const planId = readId(request.planId, 'plan');
  const write = {
    caller,
    operation: 'approve_plan',
    idempotencyKey,
    request: { plan_id: planId, plan_hash: planHash },
  };
  return guard(deps, write, async () => ({
    apply: (transaction) => approve(transaction, { planId, planHash, caller }),
  }));
}

const notAllowed = () =>
  new ServiceError('APPROVAL_NOT_ALLOWED', 'a plan is approved with a key of role approver that did not create it');

interface Approval {
  readonly planId: string;
  readonly planHash: string;
  readonly caller: Caller;
}

async function approve(transaction: TenantTransaction, { planId, planHash, caller }: Approval): Promise<unknown> {
  const plan = await findPlan(transaction, planId);
  if (plan === undefined) throw notFound('plan');
  if (plan.created_by === caller.keyId) throw notAllowed();
  if (plan.plan_hash !== planHash) throw new ServiceError('PLAN_HASH_MISMATCH', `the plan's hash is ${plan.plan_hash}`);
  assertOpen(plan);
  const isFirst = await insertApproval(transaction, plan, caller);
  if (!isFirst) throw new ServiceError('PLAN_CLOSED', 'the plan is approved already');
  await waitForSuperseded(transaction, plan);
  const approved = defined(await findPlan(transaction, planId));
  assertStored(approved.approved_by, caller.keyId);
  return {
    plan_id: planId,
    state: approved.state,
    plan_hash: planHash,
    approval: { by: caller.keyId, at: approved.approved_at, expires_at: plan.expires_at },
  };
}

function assertOpen({ state }: PlanRecord): void {
  if (state !== 'draft') throw new ServiceError('PLAN_CLOSED', `the plan is ${state}`);
}

async function insertApproval(transaction: TenantTransaction, plan: PlanRecord, caller: Caller): Promise<boolean> {
  const row = await transaction
    .insertInto('verification.approval')
    .values({
      tenant_id: caller.tenantId,
      plan_id: plan.plan_id,
      plan_hash: plan.plan_hash,
      proposed_by: plan.created_by,
      approved_by: caller.keyId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('plan_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Waits for executions of the earlier plan that begin now. This approval closes that plan for later ones. */
async function waitForSuperseded(transaction: TenantTransaction, plan: PlanRecord): Promise<void> {
  const { supersedes } = readPlanDocument(plan);
  if (supersedes !== null) await lockApproval(transaction, supersedes);
}
