import type { GuardedAnswer, OperationDeps } from '../context/operation.ts';
import { ApprovalArguments } from '../contract/arguments.ts';
import { createArgumentsReader, readCaller, readId, readIdempotencyKey } from '../requests/requests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type GuardedRequest, guard } from './guarded.ts';

const readArguments = createArgumentsReader(ApprovalArguments);

export type ApprovalRequest = GuardedRequest & { readonly planId: string };

/** A plan with the hash that the caller knows. */
export interface ApprovalWrite {
  readonly planId: string;
  readonly planHash: string;
  readonly caller: Caller;
}

interface ApprovalOperation {
  readonly operation: 'approve_plan' | 'withdraw_approval';
  /** The error for a key of another role. */
  readonly notAllowed: () => Error;
  readonly apply: (transaction: TenantTransaction, write: ApprovalWrite) => Promise<unknown>;
}

/** Gives or withdraws an approval, with a key of role approver. */
export async function writeApproval(
  deps: OperationDeps,
  request: ApprovalRequest,
  { operation, notAllowed, apply }: ApprovalOperation,
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  if (caller.role !== 'approver') throw notAllowed();
  const idempotencyKey = readIdempotencyKey(request.idempotencyKey);
  const { plan_hash: planHash } = readArguments(request.arguments);
  const planId = readId(request.planId, 'plan');
  const write = { caller, operation, idempotencyKey, request: { plan_id: planId, plan_hash: planHash } };
  return guard(deps, write, async () => ({
    apply: (transaction) => apply(transaction, { planId, planHash, caller }),
  }));
}
