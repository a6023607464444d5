import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './database.ts';
import { onlyRow } from './rows.ts';

/** Which database this is: the one that was recorded, and the current one. They differ after a restore. */
export interface DatabaseIdentity {
  readonly recorded: string;
  readonly current: string;
}

/** What operators are told when proofs are closed because the database is another one. */
export const RESTORED =
  'the database was restored or moved, and no operator has accepted it yet: run tollhouse database accept';

export async function readDatabaseIdentity(database: Kysely<Tables>): Promise<DatabaseIdentity> {
  const { rows } = await sql<DatabaseIdentity>`
    SELECT identity AS recorded, current_database_identity() AS current FROM database_identity`.execute(database);
  return onlyRow(rows);
}

export async function isDatabaseRestored(database: Kysely<Tables>): Promise<boolean> {
  const { recorded, current } = await readDatabaseIdentity(database);
  return recorded !== current;
}

/** Records the current database as the accepted one. */
export async function recordDatabaseIdentity(transaction: Transaction<Tables>): Promise<void> {
  await sql`UPDATE database_identity SET identity = current_database_identity(),
    recorded_at = clock_timestamp()`.execute(transaction);
}
