import { sql } from 'kysely';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { fromNumeric, toNumeric, type Units } from './amounts.ts';
import { type Counter, keyOf } from './charges.ts';

/** What was recorded in the window, and when it ends: RFC 3339, UTC, with microseconds. */
export interface Use {
  readonly used: Units;
  readonly endsAt: string;
}

interface Row {
  readonly tool_folded: string;
  readonly summed: string;
  readonly per: string;
  readonly per_value: string;
  readonly within: Counter['within'];
  readonly used: string;
  readonly ends_at: string;
}

/** In UTC: in another time zone, a day may have 23 or 25 hours. */
const endOf = sql.raw(`
  verification.to_text((begins_at AT TIME ZONE 'UTC' + ('1 ' || within)::interval) AT TIME ZONE 'UTC') AS ends_at`);
/** The beginning of the window that a moment is in. */
const beginOf = (moment: ReturnType<typeof sql>) =>
  sql`date_trunc(counter.within, ${moment} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

export interface Window {
  readonly tenantId: string;
  /** A time in it: RFC 3339. */
  readonly at: string;
}

/**
 * Adds to counters, in the window of a time. Their rows stay locked until the
 * transaction ends. Every transaction locks them in the same order, so that none waits for another in a circle.
 */
export async function addUse(
  transaction: TenantTransaction,
  charges: ReadonlyMap<Counter, Units>,
  { tenantId, at }: Window,
): Promise<ReadonlyMap<string, Use>> {
  const { rows } = await sql<Row>`
    INSERT INTO verification.limit_use AS use
      (tenant_id, tool_folded, summed, per, per_value, within, begins_at, used)
    SELECT ${tenantId}::uuid, counter.tool_folded, counter.summed, counter.per, counter.per_value, counter.within,
      ${beginOf(sql`${at}::timestamptz`)}, counter.amount
    FROM ${counters([...charges.keys()], [...charges.values()])}
    ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, tool_folded, summed, per, per_value, within, begins_at)
      DO UPDATE SET used = use.used + excluded.used
    RETURNING tool_folded, summed, per, per_value, within, used::text AS used, ${endOf}`.execute(transaction);
  return toUses(rows);
}

/** What counters have now. A counter without a row has zero. */
export async function readUse(
  transaction: TenantTransaction,
  wanted: readonly Counter[],
): Promise<ReadonlyMap<string, Use>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<Row>`
    WITH now AS (SELECT clock_timestamp() AS moment), counter AS (
      SELECT counter.*, ${beginOf(sql`now.moment`)} AS begins_at
      FROM ${counters(
        wanted,
        wanted.map(() => 0n),
      )}, now)
    SELECT tool_folded, summed, per, per_value, within, coalesce(used, 0)::text AS used, ${endOf}
    FROM counter LEFT JOIN verification.limit_use
      USING (tool_folded, summed, per, per_value, within, begins_at)`.execute(transaction);
  return toUses(rows);
}

const counters = (wanted: readonly Counter[], amounts: readonly Units[]) => sql`unnest(
    ${wanted.map(({ toolFolded }) => toolFolded)}::text[], ${wanted.map(({ summed }) => summed)}::text[],
    ${wanted.map(({ per }) => per)}::text[], ${wanted.map(({ perValue }) => perValue)}::text[],
    ${wanted.map(({ within }) => within)}::text[], ${amounts.map(toNumeric)}::numeric[])
  AS counter (tool_folded, summed, per, per_value, within, amount)`;

const toUses = (rows: readonly Row[]): ReadonlyMap<string, Use> =>
  new Map(
    rows.map(({ tool_folded: toolFolded, summed, per, per_value: perValue, within, used, ends_at: endsAt }) => {
      return [keyOf({ toolFolded, summed, per, perValue, within }), { used: fromNumeric(used), endsAt }];
    }),
  );

/** Most rows that one recording deletes. */
const SWEPT = 1000;

/** Deletes counters whose window ended. It waits for nobody: rows that others delete now are left to them. */
export async function sweepUse(transaction: TenantTransaction): Promise<void> {
  await sql`
    DELETE FROM verification.limit_use WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM verification.limit_use WHERE begins_at < clock_timestamp() - interval '8 days'
      LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED))`.execute(transaction);
}
