import { sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Tables } from './database.ts';
import { readDatabaseIdentity, recordDatabaseIdentity } from './database-identity.ts';
import { recordAct } from './operator-acts.ts';

export interface AcceptOptions {
  readonly operator: string;
  readonly reason: string;
  /** Whether the database has every commit. The log then keeps its name. */
  readonly isComplete: boolean;
}

export interface AcceptedDatabase {
  readonly identity: string;
  /** What the log's name ends with from now on. Undefined if it keeps its name. */
  readonly logSuffix: string | undefined;
  /** Leaves that the log has. */
  readonly logSize: bigint;
}

/** The migration that older versions must know to work on a log with another name than the first. */
const NEEDED_MIGRATION = '0015_database_identity';

/**
 * Accepts a database that was restored or moved, in one transaction with the act. Unless the database is complete, the log
 * continues under another name, because leaves that it lost were signed under the current one.
 */
export async function acceptDatabase(database: Database, options: AcceptOptions): Promise<AcceptedDatabase> {
  const { operator, reason, isComplete } = options;
  return database.transaction().execute(async (transaction) => {
    const { recorded, current } = await readDatabaseIdentity(transaction);
    const { size } = await transaction.selectFrom('verification.log_head').select('size').executeTakeFirstOrThrow();
    const logSuffix = isComplete ? undefined : await renameLog(transaction);
    await recordDatabaseIdentity(transaction);
    await recordAct(transaction, {
      operator,
      action: 'database.accept',
      subject: current,
      reason,
      detail: { before: recorded, isComplete, logSize: String(size), ...(logSuffix !== undefined && { logSuffix }) },
    });
    return { identity: current, logSuffix, logSize: size };
  });
}

/** @returns the suffix of the log's new name */
async function renameLog(transaction: Transaction<Tables>): Promise<string> {
  const suffix = uuidv7();
  await sql`INSERT INTO verification.log_name (number, suffix, size)
    SELECT (SELECT coalesce(max(number), 1) + 1 FROM verification.log_name), ${suffix}, size
    FROM verification.log_head`.execute(transaction);
  // A version that does not know the names would sign under the first one.
  await sql`UPDATE schema_compatibility SET oldest = greatest(oldest, ${NEEDED_MIGRATION})`.execute(transaction);
  return suffix;
}
