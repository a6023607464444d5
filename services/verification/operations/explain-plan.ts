import { LRUCache } from 'lru-cache';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { findCompared, findParts, findPlan, type PlanParts, type PlanRecord } from '../records/plan-records.ts';
import { isOfEarlier, readPlanDocument } from '../records/stored-documents.ts';
import { notFound, readId } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineRead } from './define.ts';

const MAX_CHARACTERS = 16_777_216;
/**
 * Views by the ids of their plans and of those with which payees are compared. A plan and all that it names never change, and a
 * view of 100,000 rows takes seconds.
 */
const views = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: ({ length }) => length + 1 });

/**
 * Shows a plan in words, for the person who approves it. It is made from the stored plan, and from another plan of the tenant
 * with whose payees those of this one are compared. Any key may ask.
 * @throws {ServiceError} NOT_FOUND, PLAN_CLOSED
 */
export const explainPlan = defineRead(
  (request) => readId(request, 'plan_id'),
  async ({ input: planId, options, inTenant }, { authoring }) => {
    const { plan, key, known, task } = await inTenant(async (transaction) => {
      const found = await findPlan(transaction, planId);
      if (found === undefined) throw notFound('plan');
      const compared = await findCompared(transaction, planId);
      const key = `${planId} ${compared}`;
      const known = views.get(key);
      return { plan: found, key, known, task: known ? undefined : await findViewed(transaction, found, compared) };
    });
    const markdown = known ?? (await authoring.view(defined(task), options)).markdown;
    views.set(key, markdown);
    return canonicalText({ plan_id: planId, plan_hash: plan.plan_hash, state: plan.state, markdown });
  },
);

async function findViewed(transaction: TenantTransaction, plan: PlanRecord, comparedId: string | undefined) {
  const { supersedes } = readPlanDocument(plan);
  const find = async (id: string | undefined) => (id === undefined ? undefined : findPlan(transaction, id));
  const replaced = await find(supersedes ?? undefined);
  const before = replaced !== undefined && isOfEarlier(replaced) ? undefined : replaced;
  const compared = comparedId === supersedes ? before : await find(comparedId);
  const others = [before, compared].filter((one) => one !== undefined);
  const all: PlanParts[] = [];
  for (const one of new Set([plan, ...others])) all.push(await findParts(transaction, one));
  const tables = new Map(all.flatMap((parts) => parts.tables ?? []).map((table) => [table.sha256, table]));
  return {
    plan: plan.document,
    tools: distinct(all.flatMap(({ tools = [] }) => tools)),
    sheets: distinct(all.flatMap(({ sheets }) => sheets)),
    tables: [...tables.values()],
    lint: JSON.parse(plan.lint),
    ...(before === undefined ? {} : { predecessor: before.document }),
    ...(compared === undefined
      ? {}
      : {
          compared: {
            plan: compared.document,
            which: `the plan \`${compared.plan_id}\`, ${compared === before ? 'which it replaces' : 'the newest proven one with the same steps and tools'}`,
          },
        }),
  };
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
