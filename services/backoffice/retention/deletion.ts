import { sql, type Transaction } from 'kysely';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { holdOpenBodies, releaseHeldBodies } from './held-bodies.ts';
import { deleteOldChecks } from './old-checks.ts';
import { type DayPartition, isLockTimeout, listDayPartitions, lockPartitions } from './partitions.ts';
import { deletedAfterMs } from './retention-days.ts';

export interface DeletionOptions {
  readonly database: Database;
  /** Bodies are deleted once all of their day are older than this many days, and each check of actions once it is. */
  readonly days: number;
  /** Milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  readonly logger: Logger;
}

/**
 * Creates the work that deletes the bodies of all overdue days, the oldest first, and then the checks of actions that nothing
 * needs. Copies may run it at the same time, and it may end at any moment: each day is dropped in one transaction.
 */
export function createDeletion(options: DeletionOptions): (signal: AbortSignal) => Promise<void> {
  const { database, days, now, logger } = options;
  return async (signal) => {
    const nowMs = await now();
    const overdue = (await listDayPartitions(database)).filter(({ day }) => deletedAfterMs(day, days) <= nowMs);
    for (const partition of overdue) {
      if (signal.aborted) return;
      const { day, bytes } = partition;
      try {
        await deleteDay(database, partition);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        logger.warn({ day }, 'a long query reads the retained bodies, so the next run deletes those of this day');
        break;
      }
      logger.info({ day, bytes: Number(bytes) }, 'the retained bodies of a day were deleted');
    }
    const held = await releaseHeldBodies(database);
    if (held.rows > 0n) {
      logger.warn({ bodies: Number(held.rows), oldestDay: held.oldestDay }, 'open payments hold old bodies');
    }
    const checks = await deleteOldChecks({ database, days, nowMs }, signal);
    if (checks > 0) logger.info({ checks }, 'old checks of actions were deleted');
  };
}

async function deleteDay(database: Database, { name, day }: DayPartition): Promise<void> {
  // Most copies are made here, before calls have to wait.
  while ((await holdSome(database, day)) > 0);
  await database.transaction().execute(async (transaction) => {
    await lockPartitions(transaction);
    // The parent comes first, as for every query. Otherwise this could wait for a query that waits for this.
    await sql`LOCK TABLE ONLY retained_body IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    await holdRest(transaction, day);
    await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(transaction);
  });
}

function holdSome(database: Database, day: string): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await lockPartitions(transaction);
    return holdOpenBodies(transaction, day);
  });
}

/** With the table locked, no body of the day can be added. */
async function holdRest(transaction: Transaction<Tables>, day: string): Promise<void> {
  while ((await holdOpenBodies(transaction, day)) > 0);
}
