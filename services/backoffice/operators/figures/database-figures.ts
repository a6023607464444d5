import { sql } from 'kysely';
import type {
  CreditFigures,
  JobFigures,
  ObligationFigures,
  RetentionFigures,
  StoreFigures,
} from '../../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { Database } from '../../../store/database.ts';
import { onlyRow } from '../../../store/rows.ts';
import { listDayPartitions } from '../../retention/partitions.ts';

/** More rows are not counted: a count of a long backlog would take the database's time from its work. */
const MOST_COUNTED = 10_001;
const DAYS = 30;

const counted = (rows: ReturnType<typeof sql>) =>
  sql`(SELECT count(*)::integer FROM (SELECT 1 ${rows} LIMIT ${MOST_COUNTED}) AS found)`;

/** Reads two partial indexes. */
export async function readJobFigures(database: Database): Promise<JobFigures> {
  const open = sql`FROM job WHERE ended_at IS NULL`;
  const { rows } = await sql<JobFigures>`
    SELECT
      ${counted(sql`${open} AND state = 'queued' AND due_at <= clock_timestamp()`)} AS waiting,
      ${counted(sql`${open} AND state = 'queued' AND due_at > clock_timestamp()`)} AS delayed,
      ${counted(sql`${open} AND state = 'running'`)} AS active,
      ${counted(sql`FROM job WHERE state = 'failed'`)} AS failed,
      coalesce((SELECT greatest(extract(epoch FROM clock_timestamp() - due_at), 0)::integer
        ${open} AND state = 'queued' ORDER BY due_at LIMIT 1), 0) AS "oldestWaitingSeconds"`.execute(database);
  return onlyRow(rows);
}

export async function readObligationFigures(database: Database): Promise<ObligationFigures> {
  const { rows } = await sql<ObligationFigures>`
    SELECT count(*)::integer AS open, coalesce(max(tries), 0)::integer AS "mostAttempts",
      coalesce(greatest(extract(epoch FROM ledger.clock() - min(due_at)), 0), 0)::integer AS "oldestDueSeconds"
    FROM (SELECT tries, due_at FROM ledger.payment_claim WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${MOST_COUNTED}) AS found`.execute(
    database,
  );
  return onlyRow(rows);
}

/** Reads an index of the new wallets. */
export async function readCreditFigures(database: Database, network: string): Promise<CreditFigures> {
  const today = sql`date_trunc('day', ledger.clock(), 'UTC')`;
  const isToday = sql`FILTER (WHERE granted_at >= ${today})`;
  const { rows } = await sql<CreditFigures>`
    SELECT count(*)::integer AS "wallets30Days", (count(*) ${isToday})::integer AS "walletsToday",
      coalesce(sum(granted), 0)::bigint AS "given30DaysMicroUsd",
      coalesce(sum(granted) ${isToday}, 0)::bigint AS "givenTodayMicroUsd"
    FROM ledger.wallet
    WHERE network = ${network} AND granted_at >= ${today} - make_interval(days => ${DAYS - 1})`.execute(database);
  return onlyRow(rows);
}

/** Counts nothing: PostgreSQL's statistics know about how many rows a table has. */
export async function readRetentionFigures(database: Database): Promise<RetentionFigures> {
  const days = await listDayPartitions(database);
  const { rows } = await sql<{ readonly calls: bigint; readonly held: number }>`
    SELECT coalesce(sum(greatest(reltuples, pg_stat_get_live_tuples(oid), 0)), 0)::bigint AS calls,
      ${counted(sql`FROM retained_body_held`)} AS held
    FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'retained_body'::regclass`.execute(database);
  const { calls, held } = onlyRow(rows);
  const bytes = days.reduce((sum, each) => sum + each.bytes, 0n);
  // Partitions of coming days are empty.
  const kept = days.filter((each) => each.day <= new Date().toISOString().slice(0, 10));
  return { days: kept.length, oldestDay: kept[0]?.day ?? '', aboutCalls: calls, bytes, held };
}

export async function readPostgresFigures(database: Database): Promise<StoreFigures> {
  const beganMs = performance.now();
  const { rows } = await sql<{ readonly version: string }>`SELECT current_setting('server_version') AS version`.execute(
    database,
  );
  const milliseconds = performance.now() - beganMs;
  return { version: onlyRow(rows).version, milliseconds, usedBytes: 0n };
}

export async function readDatabaseBytes(database: Database): Promise<bigint> {
  const { rows } = await sql<{ readonly bytes: bigint }>`
    SELECT pg_database_size(current_database())::bigint AS bytes`.execute(database);
  return onlyRow(rows).bytes;
}
