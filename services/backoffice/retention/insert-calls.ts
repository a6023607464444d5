import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../store/database.ts';
import type { RetainedCall } from './retained-call.ts';
import { insertClaims } from './retained-claims.ts';

export interface SealedCall extends Omit<RetainedCall, 'requestBody' | 'responseBody'> {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

/** `superseded`: not stored, because another execution of the same payment is retained. */
export type Inserted = 'stored' | 'superseded';

/** Stores paid calls with their claims and obligations, all or none. */
export async function insertCalls(
  database: Database,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<readonly Inserted[]> {
  const superseded = await database.transaction().execute(async (transaction) => {
    const ids = await insertClaims(transaction, calls);
    const stored = calls.filter(({ recordId }) => !ids.has(recordId));
    if (stored.length > 0) await insertBodies(transaction, keyId, stored);
    return ids;
  });
  return calls.map(({ recordId }) => (superseded.has(recordId) ? 'superseded' : 'stored'));
}

/** Stores bodies and obligations in one statement. */
async function insertBodies(
  transaction: Transaction<Tables>,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<void> {
  const { rows, bytes } = pack(calls);
  await sql`
    WITH call AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS call (day date, record_id uuid, operation text,
        request_id uuid, due_at timestamptz, start int, middle int, size int)
    ), body AS (
      INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
      SELECT day, record_id, 'payment', operation, ${keyId}, substring(bytes FROM start + 1 FOR middle),
        substring(bytes FROM start + middle + 1 FOR size - middle), request_id
      FROM call CROSS JOIN (SELECT ${bytes}::bytea AS bytes) AS packed
      ON CONFLICT DO NOTHING RETURNING record_id
    )
    INSERT INTO obligation (record_id, due_at) SELECT record_id, due_at FROM call JOIN body USING (record_id)
    ON CONFLICT DO NOTHING`.execute(transaction);
}

/**
 * The columns of calls as JSON, and their bodies one after the other. PostgreSQL takes the bytes as they are, while the
 * driver would write every member of an array of bytes as hexadecimal text.
 */
function pack(calls: readonly SealedCall[]) {
  let start = 0;
  const rows = calls.map(({ day, recordId, requestId, operation, dueAt, request, response }) => {
    const row = {
      day,
      record_id: recordId,
      operation,
      request_id: requestId,
      due_at: dueAt,
      start,
      middle: request.length,
      size: request.length + response.length,
    };
    start += row.size;
    return row;
  });
  return {
    rows,
    bytes: Buffer.concat(
      calls.flatMap(({ request, response }) => [request, response]),
      start,
    ),
  };
}
