import type { ListPlansRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type Answer, type OperationDeps, toText } from '../context/operation.ts';
import { ListPlansArguments } from '../contract/answers.ts';
import { listPlans as list } from '../records/plan-records.ts';
import { createArgumentsReader, readCaller } from '../requests/requests.ts';
import { inTenant } from '../tenants/transaction.ts';

const DEFAULT_LIMIT = 50;

const readArguments = createArgumentsReader(ListPlansArguments);

/** A page of the tenant's plans. Any role may list them. @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT */
export async function listPlans(
  { database }: Pick<OperationDeps, 'database'>,
  request: ListPlansRequest,
): Promise<Answer> {
  const { tenantId } = readCaller(request.caller);
  const { state, limit = DEFAULT_LIMIT, cursor } = readArguments(request.arguments);
  return {
    answer: toText(
      await inTenant(database, tenantId, (transaction) => list(transaction, { state, limit, after: cursor })),
    ),
  };
}
