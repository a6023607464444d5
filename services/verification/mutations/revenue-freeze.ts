import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/**
 * Advisory lock of the whole database, which is fair: a change waits only for earlier holders. A row lock is not fair,
 * because new shared holders may pass a waiting change.
 */
const QUEUE = 8_402_119;

/**
 * Freezes or unfreezes every write that moves money, on a connection of the owner. Waits for running writes: after it
 * returns, none of them commits. It stops records and advice, and not the action itself, which happens elsewhere.
 */
export async function setRevenueFreeze(database: Database, isFrozen: boolean, by: ActBy): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${QUEUE})`.execute(transaction);
    await transaction.selectFrom('verification.revenue_freeze').select('is_frozen').forUpdate().execute();
    await transaction
      .updateTable('verification.revenue_freeze')
      .set({ is_frozen: isFrozen, changed_at: sql`clock_timestamp()` })
      .execute();
    await recordAct(transaction, {
      ...by,
      action: 'verification.freeze',
      subject: 'revenue_writes',
      detail: { isFrozen },
    });
  });
}

export async function isRevenueFrozen(database: Database): Promise<boolean> {
  const row = await database.selectFrom('verification.revenue_freeze').select('is_frozen').executeTakeFirstOrThrow();
  return row.is_frozen;
}

/** Prevents a freeze until the transaction ends. @throws {ServiceError} REVENUE_WRITES_FROZEN */
export async function assertNotFrozen(transaction: TenantTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${QUEUE})`.execute(transaction);
  const row = await transaction
    .selectFrom('verification.revenue_freeze')
    .select('is_frozen')
    .forShare()
    .executeTakeFirstOrThrow();
  if (row.is_frozen) throw new ServiceError('REVENUE_WRITES_FROZEN', 'writes that move money are stopped');
}
