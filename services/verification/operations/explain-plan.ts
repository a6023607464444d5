import { LRUCache } from 'lru-cache';
import type { ExplainPlanRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import type { Authoring } from '../authoring/authoring.ts';
import { type Answer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { findParts, findPlan, type PlanRecord } from '../records/plan-records.ts';
import { isOfEarlier, readPlanDocument } from '../records/stored-documents.ts';
import { notFound, readCaller, readId } from '../requests/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';

const MAX_CHARACTERS = 16_777_216;
/** Views by the ids of their plans. A plan and all that it names never change, and a view of 100,000 rows takes seconds. */
const views = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: ({ length }) => length + 1 });

/**
 * Shows a plan in words, for the person who approves it. It is made from the stored plan alone. Any key may ask.
 * @throws {ServiceError} NOT_FOUND, PLAN_CLOSED
 */
export async function explainPlan(
  { database, authoring }: Pick<OperationDeps, 'database'> & { readonly authoring: Pick<Authoring, 'view'> },
  request: ExplainPlanRequest,
  context: CallContext,
): Promise<Answer> {
  const caller = readCaller(request.caller);
  const planId = readId(request.planId, 'plan');
  const known = views.get(planId);
  const { plan, task } = await inTenant(database, caller.tenantId, async (transaction) => {
    const found = await findPlan(transaction, planId);
    if (found === undefined) throw notFound('plan');
    return { plan: found, task: known === undefined ? await findViewed(transaction, found) : undefined };
  });
  const markdown = known ?? (await authoring.view(defined(task), solverOptions(caller, context))).markdown;
  if (known === undefined) views.set(planId, markdown);
  return { answer: toText({ plan_id: planId, plan_hash: plan.plan_hash, state: plan.state, markdown }) };
}

async function findViewed(transaction: TenantTransaction, plan: PlanRecord) {
  const { supersedes } = readPlanDocument(plan);
  const replaced = supersedes === null ? undefined : await findPlan(transaction, supersedes);
  const before = replaced !== undefined && isOfEarlier(replaced) ? undefined : replaced;
  const { tables = [], ...parts } = await findParts(transaction, plan);
  const { tables: old = [] } = before === undefined ? {} : await findParts(transaction, before);
  const isNew = ({ sha256 }: { readonly sha256: string }) => tables.every((table) => table.sha256 !== sha256);
  return {
    ...parts,
    tools: plan.tools,
    tables: [...tables, ...old.filter(isNew)],
    lint: JSON.parse(plan.lint),
    ...(before === undefined ? {} : { predecessor: before.document }),
  };
}
