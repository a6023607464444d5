import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { dayOf } from '../retention/retention-days.ts';
import { findRecordsOfRequest } from '../retention/sealed-bodies.ts';

/** A retained call, without its bodies. */
export interface FoundCall {
  readonly recordId: string;
  readonly requestId: string | null;
  readonly access: Tables['retained_body']['access'];
  readonly operation: string;
  readonly retainedAt: Date;
  /** Compressed and encrypted. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** How often operators read its bodies. */
  readonly reviews: number;
}

const MOST_FOUND = 100;

/** The calls whose record or request has an id. @param id a UUIDv7 */
export async function findCalls(database: Database, id: string): Promise<readonly FoundCall[]> {
  const ids = [...new Set([id, ...(await findRecordsOfRequest(database, id))])].slice(0, MOST_FOUND);
  const columns = sql`record_id, request_id, access, operation, created_at, octet_length(request_body) AS request_bytes,
    octet_length(response_body) AS response_bytes`;
  const { rows } = await sql<FoundCall>`
    WITH found AS (
      SELECT ${columns} FROM retained_body
      WHERE day = ANY(${[...new Set(ids.map(dayOf))]}::date[]) AND record_id = ANY(${ids}::uuid[])
      UNION ALL SELECT ${columns} FROM retained_body_held WHERE record_id = ANY(${ids}::uuid[])
    )
    SELECT DISTINCT ON (record_id) record_id AS "recordId", request_id AS "requestId", access, operation,
      created_at AS "retainedAt", request_bytes AS "requestBytes", response_bytes AS "responseBytes",
      (SELECT count(*)::integer FROM operator_act
        WHERE subject = record_id::text AND action = 'retention.review') AS reviews
    FROM found ORDER BY record_id`.execute(database);
  return rows;
}
