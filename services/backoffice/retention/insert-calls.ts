import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../store/database.ts';
import type { RetainedCall } from './retained-call.ts';
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
  const { superseded, outdated } = calls.some(({ claim }) => claim !== undefined)
    ? await database.transaction().execute((transaction) => insertWithClaims(transaction, keyId, calls))
    : { superseded: NONE, outdated: await insertBodies(database, keyId, calls) };
  return calls.map(({ recordId }) => {
    if (superseded.has(recordId)) return 'superseded';
    return outdated.has(recordId) ? 'outdated' : 'stored';
  });
}

const NONE: ReadonlySet<string> = new Set();

async function insertWithClaims(transaction: Transaction<Tables>, keyId: string, calls: readonly SealedCall[]) {
  const superseded = await insertClaims(transaction, calls);
  const stored = calls.filter(({ recordId }) => !superseded.has(recordId));
  return { superseded, outdated: await insertBodies(transaction, keyId, stored) };
}

/**
 * Stores bodies, obligations, vouchers and positions in one statement. A call is not stored if the epoch of its position is not the
 * valid one. A restore holds the row of the witness until it has ended the epoch. So it knows every trial that was
 * retained before, and no trial of the ended epoch is retained later.
 * @returns ids of the calls that are not stored
 */
async function insertBodies(
  database: Kysely<Tables>,
  keyId: string,
  calls: readonly SealedCall[],
): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return NONE;
  const { rows, bytes } = pack(calls);
  const { rows: outdated } = await sql<{ recordId: string }>`
    WITH call AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS call (day date, record_id uuid, access text,
        operation text, request_id uuid, network text, epoch text, sequence bigint, wallet text, nonce text,
        amount bigint, channel_id text, cumulative bigint, signature text, due_at timestamptz, start int, middle int,
        size int)
    ), position AS (
      SELECT network, epoch, max(sequence) AS sequence FROM call WHERE network IS NOT NULL GROUP BY network, epoch
    ), witness AS (
      UPDATE ledger_witness SET sequence = greatest(ledger_witness.sequence, position.sequence) FROM position
      WHERE ledger_witness.network = position.network AND ledger_witness.epoch = position.epoch
      RETURNING ledger_witness.network, ledger_witness.epoch
    ), outdated AS (
      SELECT record_id FROM call
      WHERE EXISTS (SELECT FROM ledger_witness known WHERE known.network = call.network)
        AND NOT EXISTS (SELECT FROM witness WHERE witness.network = call.network AND witness.epoch = call.epoch)
    ), body AS (
      INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body,
        request_id, ledger_network, ledger_epoch, ledger_sequence, wallet, nonce, amount_micro_usd)
      SELECT day, record_id, access, operation, ${keyId}, substring(bytes FROM start + 1 FOR middle),
        substring(bytes FROM start + middle + 1 FOR size - middle), request_id, network, epoch, sequence,
        wallet, nonce, amount
      FROM call CROSS JOIN (SELECT ${bytes}::bytea AS bytes) AS packed
      WHERE record_id NOT IN (SELECT record_id FROM outdated)
      ON CONFLICT DO NOTHING RETURNING record_id
    ), owed AS (
      INSERT INTO obligation (record_id, access, due_at)
      SELECT record_id, access, due_at FROM call JOIN body USING (record_id) WHERE access = 'payment'
      ON CONFLICT DO NOTHING
    ), voucher AS (
      INSERT INTO channel_voucher AS kept (channel_id, cumulative_micro_usd, signature, record_id)
      SELECT DISTINCT ON (channel_id) channel_id, cumulative, decode(signature, 'hex'), record_id
      FROM call JOIN body USING (record_id) WHERE channel_id IS NOT NULL ORDER BY channel_id, cumulative DESC
      ON CONFLICT (channel_id) DO UPDATE SET cumulative_micro_usd = excluded.cumulative_micro_usd,
        signature = excluded.signature, record_id = excluded.record_id,
        unclaimed_since = CASE WHEN kept.cumulative_micro_usd > kept.claimed_micro_usd THEN kept.unclaimed_since
          ELSE clock_timestamp() END
      WHERE kept.cumulative_micro_usd < excluded.cumulative_micro_usd
    )
    SELECT record_id AS "recordId" FROM outdated`.execute(database);
  return new Set(outdated.map(({ recordId }) => recordId));
}

/**
 * The columns of calls as JSON, and their bodies one after the other. PostgreSQL takes the bytes as they are, while the
 * driver would write every member of an array of bytes as hexadecimal text.
 */
function pack(calls: readonly SealedCall[]) {
  let start = 0;
  const rows = calls.map(
    ({ recordId, requestId, ledgerPosition, reservedTrial, voucher, dueAt, request, response, ...call }) => {
      const row = {
        day: call.day,
        record_id: recordId,
        access: call.access,
        operation: call.operation,
        request_id: requestId,
        network: ledgerPosition?.network,
        epoch: ledgerPosition?.epoch,
        sequence: textOf(ledgerPosition?.sequence),
        wallet: reservedTrial?.wallet,
        nonce: reservedTrial?.nonce,
        amount: textOf(reservedTrial?.amountMicroUsd),
        channel_id: voucher?.channelId,
        cumulative: textOf(voucher?.cumulativeMicroUsd),
        signature: voucher?.signature.toString('hex'),
        due_at: dueAt,
        start,
        middle: request.length,
        size: request.length + response.length,
      };
      start += row.size;
      return row;
    },
  );
  return {
    rows,
    bytes: Buffer.concat(
      calls.flatMap(({ request, response }) => [request, response]),
      start,
    ),
  };
}

/** JSON has no bigint. */
const textOf = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : `${value}`);
