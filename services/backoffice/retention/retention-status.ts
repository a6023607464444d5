import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { countBodies, type KeyUse, type RowCount, readKeyUses } from './key-uses.ts';
import { listDayPartitions } from './partitions.ts';
import { deletedAfterMs } from './retention-days.ts';

export interface RetentionStatus {
  /** The days that have bodies, the oldest first. */
  readonly days: readonly DayStatus[];
  readonly rows: number;
  /** Of all partitions, with indexes. */
  readonly bytes: number;
  /** The day that is deleted next. Undefined if no bodies are kept. */
  readonly next: DayStatus | undefined;
  /** Days with bodies that should be deleted by now. */
  readonly overdue: readonly string[];
  readonly held: readonly HeldBody[];
  /** What each key has sealed, authorizations and vouchers included. */
  readonly keys: readonly KeyUse[];
}

export interface DayStatus {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Exact. */
  readonly rows: number;
  readonly bytes: number;
  readonly deletedAfter: Date;
}

/** A body past its deletion day, and why it is kept. */
export interface HeldBody {
  readonly recordId: string;
  readonly day: string;
  readonly access: Tables['retained_body']['access'];
  readonly operation: string;
  readonly bytes: number;
  /** When the payments service asks again for the outcome, and how often it did. Null: the body is no longer needed. */
  readonly dueAt: Date | null;
  readonly attempts: number | null;
}

/** Days that should be deleted by now, whether or not they have bodies. The parameters are those of the status. */
export async function listOverdueDays(
  database: Database,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<readonly string[]> {
  const partitions = await listDayPartitions(database);
  return partitions.map(({ day }) => day).filter((day) => deletedAfterMs(day, days) <= nowMs);
}

/** @param options `days` is RETENTION_DAYS, and `nowMs` is in milliseconds since the epoch */
export async function readRetentionStatus(
  database: Database,
  { days: retentionDays, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<RetentionStatus> {
  const partitions = await listDayPartitions(database);
  const bodies: RowCount[] = [];
  const days: DayStatus[] = [];
  for (const { day, bytes } of partitions) {
    const found = await countBodies(database, day);
    bodies.push(...found);
    const rows = found.reduce((sum, count) => sum + count.rows, 0);
    if (rows === 0) continue;
    days.push({ day, rows, bytes: Number(bytes), deletedAfter: new Date(deletedAfterMs(day, retentionDays)) });
  }
  return {
    days,
    rows: days.reduce((sum, { rows }) => sum + rows, 0),
    bytes: Number(partitions.reduce((sum, { bytes }) => sum + bytes, 0n)),
    next: days[0],
    overdue: days.filter(({ deletedAfter }) => deletedAfter.getTime() <= nowMs).map(({ day }) => day),
    held: await listHeldBodies(database),
    keys: await readKeyUses(database, bodies),
  };
}

async function listHeldBodies(database: Database): Promise<readonly HeldBody[]> {
  const { rows } = await sql<HeldBody>`
    SELECT held.record_id AS "recordId", to_char(day, 'YYYY-MM-DD') AS day, held.access, held.operation, tries AS attempts,
      due_at AS "dueAt", (octet_length(request_body) + octet_length(response_body)) AS bytes
    FROM retained_body_held held LEFT JOIN ledger.payment_claim claim ON claim.claim_id = held.record_id ORDER BY day, record_id`.execute(
    database,
  );
  return rows;
}
