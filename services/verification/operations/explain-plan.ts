import type { ExplainPlanRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { type Answer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { findParts, findPlan } from '../records/plan-records.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { notFound, readCaller, readId } from '../requests/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';

/**
 * Shows a plan in words, for the person who approves it. It is made from the stored plan alone. Any key may ask.
 * @throws {ServiceError} NOT_FOUND
 */
export async function explainPlan(
  { database, authoring }: Pick<OperationDeps, 'database' | 'authoring'>,
  request: ExplainPlanRequest,
  context: CallContext,
): Promise<Answer> {
  const caller = readCaller(request.caller);
  const planId = readId(request.planId, 'plan');
  const { plan, task } = await inTenant(database, caller.tenantId, (transaction) => findViewed(transaction, planId));
  const { markdown } = await authoring.view(task, solverOptions(caller, context));
  return { answer: toText({ plan_id: planId, plan_hash: plan.plan_hash, state: plan.state, markdown }) };
}

async function findViewed(transaction: TenantTransaction, planId: string) {
  const plan = await findPlan(transaction, planId);
  if (plan === undefined) throw notFound('plan');
  const { supersedes } = readPlanDocument(plan);
  const before = supersedes === null ? undefined : await findPlan(transaction, supersedes);
  const { tables = [], ...parts } = await findParts(transaction, plan);
  const { tables: old = [] } = before === undefined ? {} : await findParts(transaction, before);
  const isNew = ({ sha256 }: { readonly sha256: string }) => tables.every((table) => table.sha256 !== sha256);
  return {
    plan,
    task: {
      ...parts,
      tools: plan.tools,
      tables: [...tables, ...old.filter(isNew)],
      lint: JSON.parse(plan.lint),
      ...(before === undefined ? {} : { predecessor: before.document }),
    },
  };
}
