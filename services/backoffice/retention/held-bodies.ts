import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import type { Tables } from '../../store/tables.ts';

/** The payments that somebody still asks about. */
const OPEN_CLAIMS = sql`SELECT claim_id AS record_id FROM ledger.payment_claim WHERE due_at IS NOT NULL`;

/** Bodies that are copied by one statement. A body may have 40 MB. */
const BATCH = 20;

/** Copies bodies of a day that are still needed to `retained_body_held`. @returns the number of copies */
export async function holdOpenBodies(transaction: Transaction<Tables>, day: string): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO retained_body_held (record_id, day, access, operation, key_id, request_body, response_body, created_at,
      request_id)
    SELECT record_id, day, body.access, operation, key_id, request_body, response_body, created_at, request_id
    FROM retained_body body JOIN (${OPEN_CLAIMS}) AS open USING (record_id)
    WHERE day = ${day}::date AND NOT EXISTS (SELECT FROM retained_body_held held WHERE held.record_id = body.record_id)
    LIMIT ${BATCH} ON CONFLICT DO NOTHING`.execute(transaction);
  return Number(numAffectedRows);
}

export interface HeldCount {
  readonly rows: bigint;
  /** YYYY-MM-DD, UTC. Null if no body is held. */
  readonly oldestDay: string | null;
}

/** Deletes held bodies that nothing needs any more. @returns what is left */
export async function releaseHeldBodies(database: Database): Promise<HeldCount> {
  await sql`
    DELETE FROM retained_body_held held
    WHERE NOT EXISTS (SELECT FROM (${OPEN_CLAIMS}) AS open WHERE open.record_id = held.record_id)`.execute(database);
  const { rows } = await sql<HeldCount>`
    SELECT count(*) AS rows, min(day) AS "oldestDay" FROM retained_body_held`.execute(database);
  return onlyRow(rows);
}
