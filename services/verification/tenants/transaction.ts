import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../store/database.ts';

export type TenantTransaction = Transaction<Tables>;

/** The role that connections of the service take on; see the migration that makes it. */
export const SERVICE_ROLE = 'tollhouse_verification';

/**
 * Runs `work` in a transaction that sees and writes rows of one tenant alone: the tenant is set for the transaction, and
 * row-level security holds every query to it, one that forgets to ask included.
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

/** Sets whose rows the rest of the transaction sees. */
export async function setTenant(transaction: TenantTransaction, tenantId: string): Promise<void> {
  await sql`SELECT set_config('tollhouse.tenant_id', ${tenantId}, true)`.execute(transaction);
}
