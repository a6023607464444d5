import { sql } from 'kysely';
import { checkDatabase, type Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';

const DAY_MS = 86_400_000;

/** The UTC day of a UUIDv7 (RFC 9562, section 5.7: its first 48 bits are milliseconds since the epoch). */
export function dayOf(recordId: string): string {
  const atMs = Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16);
  return dayAt(atMs);
}

function dayAt(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const partitionAt = (atMs: number): string => `retained_body_${dayAt(atMs).replaceAll('-', '')}`;

/** Creates the partitions of yesterday, today and the two days after. `now` is in milliseconds since the epoch. */
export async function createPartitions(database: Database, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Without the lock, two copies that start together would both find the table missing.
    await sql`SELECT pg_advisory_xact_lock(hashtext('retained_body'))`.execute(transaction);
    for (let offset = -1; offset <= 2; offset += 1) {
      const from = dayAt(now + offset * DAY_MS);
      const to = dayAt(now + (offset + 1) * DAY_MS);
      await sql`CREATE TABLE IF NOT EXISTS ${sql.table(partitionAt(now + offset * DAY_MS))}
        PARTITION OF retained_body FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(transaction);
    }
  });
}

/** @throws when bodies cannot be retained at `now` */
export async function checkRetention(database: Database, now: number): Promise<void> {
  await checkDatabase(database);
  const partition = partitionAt(now);
  const { rows } = await sql<{ found: string | null }>`SELECT to_regclass(${partition})::text AS found`.execute(
    database,
  );
  if (onlyRow(rows).found === null) throw new Error(`the table ${partition} does not exist`);
}
