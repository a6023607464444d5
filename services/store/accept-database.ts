import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from './database.ts';
import { readDatabaseIdentity, recordDatabaseIdentity } from './database-identity.ts';
import { recordAct } from './operator-acts.ts';
import { onlyRow } from './rows.ts';

export interface AcceptOptions {
  readonly operator: string;
  readonly reason: string;
  /** Whether the database has every commit. The log then keeps its name, and claims are trusted as before. */
  readonly isComplete: boolean;
}

export interface AcceptedDatabase {
  readonly identity: string;
  /** Number of the log's name. */
  readonly logGeneration: number;
  /** Leaves that the log has. */
  readonly logSize: bigint;
}

/** The migration that older versions must know to work on a log with another name than the first. */
const NEEDED_MIGRATION = '0015_database_identity';

/**
 * Accepts a database that was restored or moved, in one transaction with the act. Unless the database is complete:
 * - The log continues under another name, because leaves that it lost were signed under the current one.
 * - The claims of payments begin another epoch, so that the chain is asked before a claim of the current one is trusted.
 */
export async function acceptDatabase(database: Database, options: AcceptOptions): Promise<AcceptedDatabase> {
  const { operator, reason, isComplete } = options;
  return database.transaction().execute(async (transaction) => {
    const { recorded, current } = await readDatabaseIdentity(transaction);
    if (!isComplete) await endEpochs(transaction);
    await recordDatabaseIdentity(transaction);
    const { rows } = await sql<{ generation: number; size: bigint }>`
      SELECT generation, size FROM verification.log_head`.execute(transaction);
    const { generation, size } = onlyRow(rows);
    await recordAct(transaction, {
      operator,
      action: 'database.accept',
      subject: current,
      reason,
      detail: { before: recorded, isComplete, logGeneration: generation, logSize: String(size) },
    });
    return { identity: current, logGeneration: generation, logSize: size };
  });
}

async function endEpochs(transaction: Transaction<Tables>): Promise<void> {
  await sql`UPDATE verification.log_head SET generation = generation + 1`.execute(transaction);
  // A version that does not know the column would sign under the first name.
  await sql`UPDATE schema_compatibility SET oldest = greatest(oldest, ${NEEDED_MIGRATION})`.execute(transaction);
  // No store has this epoch. The payments service finds that, begins another epoch, and makes open payments due.
  await sql`UPDATE claims_witness SET epoch = ${randomUUID()}`.execute(transaction);
}
