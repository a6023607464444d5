import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type Answer, type OperationDeps, toText } from '../context/operation.ts';
import { ListExecutionsArguments, ListPlansArguments, ListProofsArguments } from '../contract/lists.ts';
import { listPlans as plans } from '../records/plan-records.ts';
import { listExecutions as executions, listProofs as proofs } from '../records/run-lists.ts';
import { createArgumentsReader, readCaller } from '../requests/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';

interface ListRequest {
  readonly caller: Caller | undefined;
  /** Unchecked JSON text. */
  readonly arguments: string;
}

/** A page of the tenant's records. Any role may list them. Each throws ServiceError INVALID_JSON or MALFORMED_INPUT. */
function createList<Schema extends TSchema>(
  schema: Schema,
  list: (transaction: TenantTransaction, page: Static<Schema>) => Promise<unknown>,
) {
  const readArguments = createArgumentsReader(schema);
  return async ({ database }: Pick<OperationDeps, 'database'>, request: ListRequest): Promise<Answer> => {
    const { tenantId } = readCaller(request.caller);
    const page = readArguments(request.arguments);
    return { answer: toText(await inTenant(database, tenantId, (transaction) => list(transaction, page))) };
  };
}

export const listPlans = createList(ListPlansArguments, plans);
export const listExecutions = createList(ListExecutionsArguments, executions);
export const listProofs = createList(ListProofsArguments, proofs);
