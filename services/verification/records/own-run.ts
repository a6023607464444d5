import type { Caller } from '../tenants/keys.ts';
import { assertOwner } from '../tenants/owner.ts';
import { notFound } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { findExecution } from './execution-records.ts';
import { findPlan } from './plan-records.ts';

/** An execution that the caller may write to, and its plan. @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER */
export async function findOwnRun(transaction: TenantTransaction, caller: Caller, executionId: string) {
  const execution = await findExecution(transaction, executionId);
  const record = execution && (await findPlan(transaction, execution.plan_id));
  if (execution === undefined || record === undefined) throw notFound('execution');
  assertOwner(execution, caller, 'execution');
  return { execution, record };
}
