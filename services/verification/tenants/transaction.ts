import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';

export type TenantTransaction = Transaction<Tables>;

/**
 * Runs `work` in a transaction that sees and writes only rows of one tenant. Row-level security limits every query to the
 * tenant of the transaction, even if the query does not ask for it.
 */
export function inTenant<Result>(
  database: Database,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await setTenant(transaction, tenantId);
    return work(transaction);
  });
}

/** Sets the tenant for the rest of the transaction. */
export async function setTenant(transaction: TenantTransaction, tenantId: string): Promise<void> {
  await sql`SELECT set_config('tollhouse.tenant_id', ${tenantId}, true)`.execute(transaction);
}
