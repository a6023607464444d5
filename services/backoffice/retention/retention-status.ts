import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
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
  /** Rows by key, those of held bodies and of vouchers included. */
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

export interface KeyUse {
  readonly keyId: string;
  readonly rows: number;
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
  const keys = new Map<string, number>();
  const days: DayStatus[] = [];
  // One query for each day: a query over all days could take longer than a statement may.
  for (const { day, bytes } of partitions) {
    const uses = await countKeys(database, day);
    add(keys, uses);
    const rows = uses.reduce((sum, use) => sum + use.rows, 0);
    if (rows === 0) continue;
    days.push({ day, rows, bytes: Number(bytes), deletedAfter: new Date(deletedAfterMs(day, retentionDays)) });
  }
  add(keys, await countHeldKeys(database));
  add(keys, await countVoucherKeys(database));
  return {
    days,
    rows: days.reduce((sum, { rows }) => sum + rows, 0),
    bytes: Number(partitions.reduce((sum, { bytes }) => sum + bytes, 0n)),
    next: days[0],
    overdue: days.filter(({ deletedAfter }) => deletedAfter.getTime() <= nowMs).map(({ day }) => day),
    held: await listHeldBodies(database),
    keys: Array.from(keys, ([keyId, rows]) => ({ keyId, rows })).toSorted((a, b) => a.keyId.localeCompare(b.keyId)),
  };
}

function add(keys: Map<string, number>, uses: readonly KeyUse[]): void {
  for (const { keyId, rows } of uses) keys.set(keyId, (keys.get(keyId) ?? 0) + rows);
}

/** Rows of a day by key. */
export async function countKeys(database: Database, day: string): Promise<readonly KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    SELECT key_id AS "keyId", count(*)::float8 AS rows FROM retained_body WHERE day = ${day}::date GROUP BY key_id`.execute(
    database,
  );
  return rows;
}

/** Held rows by key. */
export async function countHeldKeys(database: Database): Promise<readonly KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    SELECT key_id AS "keyId", count(*)::float8 AS rows FROM retained_body_held GROUP BY key_id`.execute(database);
  return rows;
}

/** Vouchers by key, those of open calls included. */
export async function countVoucherKeys(database: Database): Promise<readonly KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    SELECT key_id AS "keyId", count(*)::float8 AS rows FROM (
      SELECT key_id FROM ledger.channel UNION ALL SELECT claimable_key_id FROM ledger.channel UNION ALL SELECT key_id FROM ledger.reservation
    ) AS voucher WHERE key_id IS NOT NULL GROUP BY key_id`.execute(database);
  return rows;
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
