import type { OperationRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { ApprovalArguments } from '../contract/arguments.ts';
import { findPlan, lockPlan, type PlanRecord } from '../records/plan-records.ts';
import type { Caller } from '../tenants/keys.ts';
import { createArgumentsReader, notFound, readId } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineWrite } from './define.ts';

export const readApproval = createArgumentsReader(ApprovalArguments);

/** A locked plan, with the hash that the caller knows. */
export interface ApprovalWrite<Sent = unknown> {
  readonly plan: PlanRecord;
  readonly planHash: string;
  readonly sent: Sent;
  readonly caller: Caller;
}

interface ApprovalOperation<Sent> {
  readonly operation: 'approve_plan' | 'withdraw_approval' | 'reject_plan';
  readonly readArguments: (request: OperationRequest) => Sent;
  /** The error for a key of another role. */
  readonly notAllowed: () => Error;
  readonly apply: (transaction: TenantTransaction, write: ApprovalWrite<Sent>) => Promise<unknown>;
}

/** Gives or withdraws an approval, or rejects a plan, with a key of role approver. */
export const defineApproval = <Sent extends { readonly plan_hash: string }>({
  operation,
  readArguments,
  notAllowed,
  apply,
}: ApprovalOperation<Sent>) =>
  defineWrite({
    operation,
    role: 'approver',
    notAllowed,
    idempotencyKey: 'required',
    readInput: (request) => ({ ...readArguments(request), plan_id: readId(request, 'plan_id') }),
    prepare: async ({ caller, input }) => ({
      apply: async (transaction) => {
        // What is being recorded under the plan ends first.
        await lockPlan(transaction, input.plan_id);
        const plan = await findPlan(transaction, input.plan_id);
        if (plan === undefined) throw notFound('plan');
        return apply(transaction, { plan, planHash: input.plan_hash, sent: input, caller });
      },
    }),
  });

/** Whether the key created the plan, or is of the group of the key that did: then it cannot approve or reject it. */
export const isProposer = ({ keyId, group }: Caller, plan: PlanRecord): boolean =>
  plan.created_by === keyId || plan.proposer_group === group;
