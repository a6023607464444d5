import { sql, type Transaction } from 'kysely';
import { hasCode } from '../../platform/process/system-error.ts';
import { assertWritable, type Database, READ_ONLY } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import type { Tables } from '../../store/tables.ts';
import { dayAt } from './retention-days.ts';

const DAY_MS = 86_400_000;
const LOCK_TIMEOUT_MS = 500;
/** A process that is paused while it has the lock loses it, well before those that wait for the lock give up. */
const PAUSED_MS = 5000;
/** Error code of PostgreSQL. */
const LOCK_NOT_AVAILABLE = '55P03';

const partitionAt = (atMs: number): string => `retained_body_${dayAt(atMs).replaceAll('-', '')}`;

/** Creates the partitions of yesterday, today and the two days after. `now` is in milliseconds since the epoch. */
export async function createPartitions(database: Database, now: number): Promise<void> {
  try {
    await createMissing(database, now);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    // A long query reads the table. The next run is early enough if today's partition exists.
    await checkRetention(database, now);
  }
}

async function createMissing(database: Database, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Without the lock, two copies that start together would both find the table missing.
    await lockPartitions(transaction);
    for (let offset = -1; offset <= 2; offset += 1) {
      const from = dayAt(now + offset * DAY_MS);
      const to = dayAt(now + (offset + 1) * DAY_MS);
      await sql`CREATE TABLE IF NOT EXISTS ${sql.table(partitionAt(now + offset * DAY_MS))}
        PARTITION OF retained_body FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(transaction);
    }
  });
}

/**
 * Lets one transaction at a time change the partitions. A change waits for all queries that read the table, and every
 * new query waits behind it, so it gives up soon: a backup that reads for an hour must not stop the service.
 */
export async function lockPartitions(transaction: Transaction<Tables>): Promise<void> {
  await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(PAUSED_MS)}`.execute(transaction);
  // Only other changes wait for this lock, so it may take longer.
  await sql`SELECT pg_advisory_xact_lock(hashtext('retained_body'))`.execute(transaction);
  await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
}

/** Whether a query failed because another one did not release its lock in time. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, LOCK_NOT_AVAILABLE);

export interface DayPartition {
  /** Name of the table. */
  readonly name: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Size on the disk, with indexes. */
  readonly bytes: bigint;
}

/** The partitions that hold exactly one day, the oldest first. */
export async function listDayPartitions(database: Database): Promise<readonly DayPartition[]> {
  const { rows } = await sql<DayPartition>`
    SELECT name, to_char(first, 'YYYY-MM-DD') AS day, bytes FROM (
      SELECT child.relname AS name, bound[1]::date AS first, bound[2]::date AS following,
        pg_total_relation_size(child.oid) AS bytes
      FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
      CROSS JOIN regexp_match(pg_get_expr(child.relpartbound, child.oid), $$FROM [(]'(.+)'[)] TO [(]'(.+)'[)]$$) AS bound
      WHERE inhparent = 'retained_body'::regclass AND bound IS NOT NULL
    ) AS part WHERE following = first + 1 AND bytes IS NOT NULL ORDER BY first`.execute(database);
  return rows;
}

/** @throws when bodies cannot be retained at `now` */
export async function checkRetention(database: Database, now: number): Promise<void> {
  const partition = partitionAt(now);
  const { rows } = await sql<{ readOnly: string; found: string | null }>`
    SELECT ${READ_ONLY} AS "readOnly", to_regclass(${partition})::text AS found`.execute(database);
  const { readOnly, found } = onlyRow(rows);
  assertWritable(readOnly);
  if (found === null) throw new Error(`the table ${partition} does not exist`);
}
