import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from './database.ts';
import { LEDGER_FUNCTIONS } from './ledger-functions.ts';
import { isLogOpen, readLogEpoch } from './log-epoch.ts';
import { recordAct } from './operator-acts.ts';
import { onlyRow } from './rows.ts';

export interface ContinueOptions {
  readonly operator: string;
  readonly reason: string;
  /** Whether the database has every commit. The log then keeps its name. */
  readonly isComplete: boolean;
  /** Whether to begin an epoch if the database seems to be the same, as a copy of a volume does. */
  readonly isForced: boolean;
}

export interface ContinuedLog {
  readonly identity: string;
  readonly epoch: number;
  /** What the log's name ends with from now on. Undefined if it keeps its name. */
  readonly logSuffix: string | undefined;
  /** Leaves that the log has. */
  readonly logSize: bigint;
}

/**
 * Lets the log of proofs go on in a database that was restored or moved, in one transaction with the act. Unless the
 * database is complete, the log continues under another name, because leaves that it lost were signed under the current
 * one.
 * @returns undefined if the log is open, and nothing is forced
 */
export async function continueLog(database: Database, options: ContinueOptions): Promise<ContinuedLog | undefined> {
  const { operator, reason, isComplete, isForced } = options;
  return database.transaction().execute(async (transaction) => {
    // Nothing is appended until the end of the transaction.
    const { size } = await transaction
      .selectFrom('verification.log_head')
      .select('size')
      .forUpdate()
      .executeTakeFirstOrThrow();
    const before = await readLogEpoch(transaction);
    const isOpen = isLogOpen(before);
    if (isOpen && !isForced) return undefined;
    // The ledger has begun an epoch by itself, unless none of its processes ran.
    await sql`SELECT ${sql.ref(LEDGER_FUNCTIONS)}.begin_epoch(${isOpen})`.execute(transaction);
    const suffix = isComplete ? null : uuidv7();
    const { rows } = await sql<{ epoch: number }>`
      INSERT INTO verification.log_epoch (epoch, suffix, size) SELECT max(number), ${suffix}, ${size} FROM ledger.epoch
      RETURNING epoch`.execute(transaction);
    const { epoch } = onlyRow(rows);
    await recordAct(transaction, {
      operator,
      action: 'proofs.accept',
      subject: before.current,
      reason,
      detail: {
        before: before.recorded,
        epoch,
        isComplete,
        logSize: String(size),
        ...(suffix !== null && { logSuffix: suffix }),
      },
    });
    return { identity: before.current, epoch, logSuffix: suffix ?? undefined, logSize: size };
  });
}
