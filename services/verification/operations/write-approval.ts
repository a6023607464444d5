import type { GuardedAnswer, OperationDeps } from '../context/operation.ts';
import { ApprovalArguments } from '../contract/arguments.ts';
import { findPlan, lockPlan, type PlanRecord } from '../records/plan-records.ts';
import { createArgumentsReader, notFound, readCaller, readId, readIdempotencyKey } from '../requests/requests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type GuardedRequest, guard } from './guarded.ts';

export const readApproval = createArgumentsReader(ApprovalArguments);

export type ApprovalRequest = GuardedRequest & { readonly planId: string };

/** A locked plan, with the hash that the caller knows. */
export interface ApprovalWrite<Sent = unknown> {
  readonly plan: PlanRecord;
  readonly planHash: string;
  readonly sent: Sent;
  readonly caller: Caller;
}

interface ApprovalOperation<Sent> {
  readonly operation: 'approve_plan' | 'withdraw_approval' | 'reject_plan';
  readonly readArguments: (text: string) => Sent;
  /** The error for a key of another role. */
  readonly notAllowed: () => Error;
  readonly apply: (transaction: TenantTransaction, write: ApprovalWrite<Sent>) => Promise<unknown>;
}

/** Gives or withdraws an approval, or rejects a plan, with a key of role approver. */
export async function writeApproval<Sent extends { readonly plan_hash: string }>(
  deps: OperationDeps,
  request: ApprovalRequest,
  { operation, readArguments, notAllowed, apply }: ApprovalOperation<Sent>,
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  if (caller.role !== 'approver') throw notAllowed();
  const idempotencyKey = readIdempotencyKey(request.idempotencyKey);
  const sent = readArguments(request.arguments);
  const planId = readId(request.planId, 'plan');
  const write = { caller, operation, idempotencyKey, request: { plan_id: planId, ...sent } };
  return guard(deps, write, async () => ({
    apply: async (transaction) => {
      // What is being recorded under the plan ends first.
      await lockPlan(transaction, planId);
      const plan = await findPlan(transaction, planId);
      if (plan === undefined) throw notFound('plan');
      return apply(transaction, { plan, planHash: sent.plan_hash, sent, caller });
    },
  }));
}

/** Whether the key created the plan, or is of the group of the key that did: then it cannot approve or reject it. */
export const isProposer = ({ keyId, group }: Caller, plan: PlanRecord): boolean =>
  plan.created_by === keyId || plan.proposer_group === group;
