import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../store/database.ts';
import type { LedgerPosition, RetainedCall } from './retained-call.ts';
import { insertClaims } from './retained-claims.ts';

export interface SealedCall extends Omit<RetainedCall, 'requestBody' | 'responseBody'> {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

/** `superseded`: not stored, because another execution of the same payment is retained. */
export type Inserted = 'stored' | 'superseded';

/** Stores calls with their claims, obligations and the farthest ledger position, all or none. */
export async function insertCalls(
  database: Database,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<readonly Inserted[]> {
  const latest = latestPosition(calls);
  return database.transaction().execute(async (transaction) => {
    const superseded = await insertClaims(transaction, calls);
    const stored = calls.filter(({ recordId }) => !superseded.has(recordId));
    await insertBodies(transaction, keyId, stored);
    if (latest !== undefined) await recordPosition(transaction, latest);
    return calls.map(({ recordId }) => (superseded.has(recordId) ? 'superseded' : 'stored'));
  });
}

async function insertBodies(
  transaction: Transaction<Tables>,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<void> {
  const column = <T>(pick: (call: SealedCall) => T) => calls.map(pick);
  await sql`
    WITH body AS (
      INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body, request_id)
      SELECT day, record_id, access, operation, ${keyId}, request, response, request_id FROM unnest(
        ${column((call) => call.day)}::date[], ${column((call) => call.recordId)}::uuid[],
        ${column((call) => call.access)}::text[], ${column((call) => call.operation)}::text[],
        ${column((call) => call.request)}::bytea[], ${column((call) => call.response)}::bytea[],
        ${column((call) => call.requestId ?? null)}::uuid[]
      ) AS call (day, record_id, access, operation, request, response, request_id)
      ON CONFLICT DO NOTHING RETURNING record_id)
    INSERT INTO obligation (record_id, access, due_at)
    SELECT call.record_id, access, due_at FROM unnest(
      ${column((call) => call.recordId)}::uuid[], ${column((call) => call.access)}::text[],
      ${column((call) => call.dueAt)}::timestamptz[]
    ) AS call (record_id, access, due_at) JOIN body USING (record_id)
    WHERE access <> 'trial'
    ON CONFLICT DO NOTHING`.execute(transaction);
}

async function recordPosition(
  transaction: Transaction<Tables>,
  { network, epoch, sequence }: LedgerPosition,
): Promise<void> {
  await transaction
    .updateTable('ledger_witness')
    .set({ sequence: sql<bigint>`greatest(sequence, ${sequence})` })
    .where('network', '=', network)
    .where('epoch', '=', epoch)
    .execute();
}

function latestPosition(calls: readonly SealedCall[]): LedgerPosition | undefined {
  let latest: LedgerPosition | undefined;
  for (const { ledgerPosition } of calls) {
    if (ledgerPosition !== undefined && (latest === undefined || ledgerPosition.sequence > latest.sequence))
      latest = ledgerPosition;
  }
  return latest;
}
