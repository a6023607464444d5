import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** Rows that one page looks at. A filter that few rows pass takes more pages, each of bounded work. */
const MAX_SCANNED = 1000;
const DEFAULT_LIMIT = 50;

/** What is listed. The id is a UUIDv7, so it orders rows by their time. */
export interface Listing {
  readonly id: 'plan.plan_id' | 'execution.execution_id' | 'proof.proof_id';
  readonly columns: RawBuilder<unknown>;
  /** The tables that are looked at. */
  readonly from: RawBuilder<unknown>;
  /** What is joined to the rows that were looked at. */
  readonly joined: RawBuilder<unknown>;
  /** Whose rows are looked at: a condition that an index answers. */
  readonly among?: RawBuilder<unknown> | undefined;
  /** Which of these are on the page. */
  readonly where?: RawBuilder<unknown> | undefined;
}

export interface PageRequest {
  readonly limit?: number;
  /** Id of the last row of the page before. */
  readonly cursor?: string;
}

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/** A page of rows, from the newest. */
export async function listNewest<Row>(
  transaction: TenantTransaction,
  { id: name, columns, from, joined, among = sql`true`, where = sql`true` }: Listing,
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
): Promise<RowPage<Row>> {
  const id = sql.ref(name);
  const looked = cursor === undefined ? among : sql`${among} AND ${id} < ${cursor}`;
  const last = await sql<{ readonly id: string }>`
    SELECT ${id} AS id FROM ${from} WHERE ${looked} ORDER BY ${id} DESC OFFSET ${MAX_SCANNED - 1} LIMIT 1`.execute(
    transaction,
  );
  const lastScanned = last.rows[0]?.id;
  const { rows } = await sql<Row & { readonly cursor: string }>`
    SELECT ${id} AS cursor, ${columns} FROM ${from} ${joined}
    WHERE ${looked} AND ${lastScanned === undefined ? sql`true` : sql`${id} >= ${lastScanned}`} AND ${where}
    ORDER BY ${id} DESC LIMIT ${limit + 1}`.execute(transaction);
  const page = rows.slice(0, limit);
  return {
    rows: page.map(({ cursor: _, ...row }) => row as Row),
    next_cursor: (rows.length > limit ? page.at(-1)?.cursor : lastScanned) ?? null,
  };
}
