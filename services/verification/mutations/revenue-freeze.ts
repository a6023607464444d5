import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** A place in a queue, of the whole database. Of a row that is shared, more may share it while one waits to change it. */
const QUEUE = 8_402_119;

/**
 * Stops or lets go on every write that moves money, on a connection of the owner. Waits for those under way: once this
 * returns, none commits any more. It stops what is recorded and advised, not the act itself, which happens elsewhere.
 */
export async function setRevenueFreeze(database: Database, isFrozen: boolean): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${QUEUE})`.execute(transaction);
    await transaction.selectFrom('verification.revenue_freeze').select('is_frozen').forUpdate().execute();
    await transaction
      .updateTable('verification.revenue_freeze')
      .set({ is_frozen: isFrozen, changed_at: sql`clock_timestamp()` })
      .execute();
  });
}

export async function isRevenueFrozen(database: Database): Promise<boolean> {
  const row = await database.selectFrom('verification.revenue_freeze').select('is_frozen').executeTakeFirstOrThrow();
  return row.is_frozen;
}

/** Holds the switch where it is until the transaction ends. @throws {ServiceError} REVENUE_WRITES_FROZEN */
export async function assertNotFrozen(transaction: TenantTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${QUEUE})`.execute(transaction);
  const row = await transaction
    .selectFrom('verification.revenue_freeze')
    .select('is_frozen')
    .forShare()
    .executeTakeFirstOrThrow();
  if (row.is_frozen) throw new ServiceError('REVENUE_WRITES_FROZEN', 'writes that move money are stopped');
}
