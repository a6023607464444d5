import type { Static, TSchema } from 'typebox';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ListExecutionsArguments, ListPlansArguments, ListProofsArguments } from '../contract/lists.ts';
import { listPlans as plans } from '../records/plan-records.ts';
import { listExecutions as executions, listProofs as proofs } from '../records/run-lists.ts';
import { createArgumentsReader } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineRead } from './define.ts';

/** A page of the tenant's records. Each throws ServiceError INVALID_JSON or MALFORMED_INPUT. */
const defineList = <Schema extends TSchema>(
  schema: Schema,
  list: (transaction: TenantTransaction, page: Static<Schema>) => Promise<unknown>,
) =>
  defineRead(createArgumentsReader(schema), async ({ input, inTenant }) =>
    canonicalText(await inTenant((transaction) => list(transaction, input))),
  );

export const listPlans = defineList(ListPlansArguments, plans);
export const listExecutions = defineList(ListExecutionsArguments, executions);
export const listProofs = defineList(ListProofsArguments, proofs);
