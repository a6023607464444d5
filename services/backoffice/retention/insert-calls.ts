import { sql, type Transaction } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import type { Database, Tables } from '../../store/database.ts';
import type { LedgerPosition, RetainedCall } from './retained-call.ts';
import { insertClaims } from './retained-claims.ts';

export interface SealedCall extends Omit<RetainedCall, 'requestBody' | 'responseBody'> {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

/**
 * - `superseded`: not stored, because another execution of the same payment is retained.
 * - `outdated`: not stored, because the ledger was restored since the trial was reserved.
 */
export type Inserted = 'stored' | 'superseded' | 'outdated';

/** Stores calls with their claims, obligations and the farthest ledger positions, all or none. */
export async function insertCalls(
  database: Database,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<readonly Inserted[]> {
  try {
    return await insertAll(database, keyId, calls);
  } catch (error) {
    if (!(error instanceof OutdatedEpochError)) throw error;
    const isOutdated = ({ ledgerPosition }: SealedCall) =>
      ledgerPosition?.network === error.network && ledgerPosition.epoch === error.epoch;
    const others = calls.filter((call) => !isOutdated(call));
    const inserted = (await insertCalls(database, keyId, others)).values();
    return calls.map((call) => (isOutdated(call) ? 'outdated' : defined(inserted.next().value)));
  }
}

function insertAll(database: Database, keyId: string, calls: readonly SealedCall[]): Promise<readonly Inserted[]> {
  return database.transaction().execute(async (transaction) => {
    const superseded = await insertClaims(transaction, calls);
    const stored = calls.filter(({ recordId }) => !superseded.has(recordId));
    await insertBodies(transaction, keyId, stored);
    for (const latest of latestPositions(calls)) await recordPosition(transaction, latest);
    return calls.map(({ recordId }) => (superseded.has(recordId) ? 'superseded' : 'stored'));
  });
}

/** The epoch of a call is not valid any more. */
class OutdatedEpochError extends Error {
  readonly network: string;
  readonly epoch: string;

  constructor({ network, epoch }: LedgerPosition) {
    super(`the epoch ${epoch} of ${network} has ended`);
    this.network = network;
    this.epoch = epoch;
  }
}

async function insertBodies(
  transaction: Transaction<Tables>,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<void> {
  const column = <T>(pick: (call: SealedCall) => T) => calls.map(pick);
  await sql`
    WITH body AS (
      INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body,
        request_id, ledger_network, ledger_epoch, ledger_sequence, wallet, nonce, amount_micro_usd)
      SELECT day, record_id, access, operation, ${keyId}, request, response, request_id, network, epoch, sequence, wallet, nonce, amount
      FROM unnest(
        ${column((call) => call.day)}::date[], ${column((call) => call.recordId)}::uuid[],
        ${column((call) => call.access)}::text[], ${column((call) => call.operation)}::text[],
        ${column((call) => call.request)}::bytea[], ${column((call) => call.response)}::bytea[],
        ${column((call) => call.requestId ?? null)}::uuid[],
        ${column((call) => call.ledgerPosition?.network)}::text[], ${column((call) => call.ledgerPosition?.epoch)}::text[],
        ${column((call) => call.ledgerPosition?.sequence)}::bigint[], ${column((call) => call.reservedTrial?.wallet)}::text[],
        ${column((call) => call.reservedTrial?.nonce)}::text[],
        ${column((call) => call.reservedTrial?.amountMicroUsd)}::bigint[]
      ) AS call (day, record_id, access, operation, request, response, request_id, network, epoch, sequence, wallet, nonce, amount)
      ON CONFLICT DO NOTHING RETURNING record_id)
    INSERT INTO obligation (record_id, access, due_at)
    SELECT call.record_id, access, due_at FROM unnest(
      ${column((call) => call.recordId)}::uuid[], ${column((call) => call.access)}::text[],
      ${column((call) => call.dueAt)}::timestamptz[]
    ) AS call (record_id, access, due_at) JOIN body USING (record_id)
    WHERE access <> 'trial'
    ON CONFLICT DO NOTHING`.execute(transaction);
}

/**
 * Records how far the ledger was. A restore holds the row of the witness until it has ended the epoch. So it knows every
 * trial that was retained before, and no trial of the ended epoch is retained later.
 * @throws {OutdatedEpochError} if another epoch is the valid one
 */
async function recordPosition(transaction: Transaction<Tables>, position: LedgerPosition): Promise<void> {
  const { network, epoch, sequence } = position;
  const { numUpdatedRows } = await transaction
    .updateTable('ledger_witness')
    .set({ sequence: sql<bigint>`greatest(sequence, ${sequence})` })
    .where('network', '=', network)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const witness = await transaction
    .selectFrom('ledger_witness')
    .select('epoch')
    .where('network', '=', network)
    .executeTakeFirst();
  if (witness !== undefined && witness.epoch !== epoch) throw new OutdatedEpochError(position);
}

/** The farthest position of each epoch. */
function latestPositions(calls: readonly SealedCall[]): readonly LedgerPosition[] {
  const latest = new Map<string, LedgerPosition>();
  for (const { ledgerPosition } of calls) {
    if (ledgerPosition === undefined) continue;
    const key = `${ledgerPosition.network} ${ledgerPosition.epoch}`;
    const known = latest.get(key);
    if (known === undefined || ledgerPosition.sequence > known.sequence) latest.set(key, ledgerPosition);
  }
  return [...latest.values()];
}
