import { sql } from 'kysely';
import { MAX_COMMIT_BYTES, MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import { type AccessKind, checkDatabase, type Database } from '../../store/database.ts';
import type { BodyCipher } from './body-cipher.ts';
import { createByteBound, createGroupCommit } from './group-commit.ts';
import { insertClaims, type RetainedClaim } from './retained-claims.ts';

export interface LedgerPosition {
  readonly network: string;
  readonly epoch: string;
  readonly sequence: bigint;
}

export interface RetainedCall {
  /** UUIDv7. Its timestamp chooses the partition. */
  readonly recordId: string;
  readonly access: AccessKind;
  readonly operation: string;
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
  readonly dueAt: Date;
  readonly ledgerPosition?: LedgerPosition | undefined;
  /** Of a payment: what its claim can be rebuilt from. */
  readonly claim?: RetainedClaim | undefined;
}

export interface Retention {
  /**
   * Resolves when the record is committed, and for a payment its obligation with it. A trial needs none: the ledger
   * itself lists the reservations that are still open.
   * @throws {SupersededError} when another execution of the same payment is retained
   */
  retain(call: RetainedCall): Promise<void>;
  read(recordId: string): Promise<Pick<RetainedCall, 'operation' | 'requestBody' | 'responseBody'> | undefined>;
  /** Those of the ids that have a record. */
  findRetained(recordIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The farthest position that was ever seen of this ledger, the given one included where its epoch is the same. */
  attest(position: LedgerPosition): Promise<LedgerPosition>;
  /** Milliseconds since the epoch by the clock of the database. */
  databaseTimeMs(): Promise<bigint>;
  /** Makes the partitions of the days around `now`. */
  createPartitions(now: number): Promise<void>;
  /** Throws when bodies cannot be retained at `now`. */
  check(now: number): Promise<void>;
}

/** Another execution of the same payment is retained. This one leaves nothing behind. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** `superseded`: not stored, as another execution of the same payment is. */
type Inserted = 'stored' | 'superseded';

interface SealedCall extends Omit<RetainedCall, 'requestBody' | 'responseBody'> {
  readonly day: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

const DAY_MS = 86_400_000;
const MAX_COMMIT_CALLS = 256;

/** The UTC day of a UUIDv7 (RFC 9562, 5.7: its first 48 bits are milliseconds since the epoch). */
export function dayOf(recordId: string): string {
  const atMs = Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16);
  return dayAt(atMs);
}

function dayAt(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const partitionAt = (atMs: number): string => `retained_body_${dayAt(atMs).replaceAll('-', '')}`;

export function createRetention(options: { readonly database: Database; readonly cipher: BodyCipher }): Retention {
  const { database, cipher } = options;
  const commit = createGroupCommit({ commit: insert, maxItems: MAX_COMMIT_CALLS, maxBytes: MAX_COMMIT_BYTES });
  const hold = createByteBound(MAX_WAITING_BYTES);

  async function insert(given: readonly SealedCall[]): Promise<readonly Inserted[]> {
    const latest = latestPosition(given);
    return database.transaction().execute(async (transaction) => {
      const superseded = await insertClaims(transaction, given);
      const calls = given.filter(({ recordId }) => !superseded.has(recordId));
      const column = <T>(pick: (call: SealedCall) => T) => calls.map(pick);
      await sql`
        WITH body AS (
          INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body)
          SELECT day, record_id, access, operation, ${cipher.keyId}, request, response FROM unnest(
            ${column((call) => call.day)}::date[], ${column((call) => call.recordId)}::uuid[],
            ${column((call) => call.access)}::text[], ${column((call) => call.operation)}::text[],
            ${column((call) => call.request)}::bytea[], ${column((call) => call.response)}::bytea[]
          ) AS call (day, record_id, access, operation, request, response)
          ON CONFLICT DO NOTHING RETURNING record_id)
        INSERT INTO obligation (record_id, access, due_at)
        SELECT call.record_id, access, due_at FROM unnest(
          ${column((call) => call.recordId)}::uuid[], ${column((call) => call.access)}::text[],
          ${column((call) => call.dueAt)}::timestamptz[]
        ) AS call (record_id, access, due_at) JOIN body USING (record_id)
        WHERE access <> 'trial'
        ON CONFLICT DO NOTHING`.execute(transaction);
      if (latest !== undefined) {
        await transaction
          .updateTable('ledger_witness')
          .set({ sequence: sql<bigint>`greatest(sequence, ${latest.sequence})` })
          .where('network', '=', latest.network)
          .where('epoch', '=', latest.epoch)
          .execute();
      }
      return given.map(({ recordId }) => (superseded.has(recordId) ? 'superseded' : 'stored'));
    });
  }

  return {
    retain: ({ requestBody, responseBody, ...call }) =>
      hold(requestBody.length + responseBody.length, async () => {
        const { recordId } = call;
        const [request, response] = await Promise.all([
          cipher.seal(requestBody, { recordId, part: 'request' }),
          cipher.seal(responseBody, { recordId, part: 'response' }),
        ]);
        const sealed = { ...call, request, response, day: dayOf(recordId) };
        const inserted = await commit(sealed, request.length + response.length);
        if (inserted === 'superseded') throw new SupersededError(`${recordId} is superseded`);
      }),

    async read(recordId) {
      const row = await database
        .selectFrom('retained_body')
        .select(['operation', 'key_id', 'request_body', 'response_body'])
        .where('day', '=', dayOf(recordId))
        .where('record_id', '=', recordId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const [requestBody, responseBody] = await Promise.all([
        cipher.open(row.request_body, row.key_id, { recordId, part: 'request' }),
        cipher.open(row.response_body, row.key_id, { recordId, part: 'response' }),
      ]);
      return { operation: row.operation, requestBody, responseBody };
    },

    async findRetained(recordIds) {
      if (recordIds.length === 0) return new Set();
      const rows = await database
        .selectFrom('retained_body')
        .select('record_id')
        .where('day', 'in', [...new Set(recordIds.map(dayOf))])
        .where('record_id', 'in', recordIds)
        .execute();
      return new Set(rows.map(({ record_id }) => record_id));
    },

    async attest(position) {
      const { rows } = await sql<LedgerPosition>`
        INSERT INTO ledger_witness (network, epoch, sequence) VALUES (${position.network}, ${position.epoch}, ${position.sequence})
        ON CONFLICT (network) DO UPDATE SET sequence = CASE WHEN ledger_witness.epoch = excluded.epoch
          THEN greatest(ledger_witness.sequence, excluded.sequence) ELSE ledger_witness.sequence END
        RETURNING network, epoch, sequence`.execute(database);
      return rows[0] ?? position;
    },

    async databaseTimeMs() {
      const { rows } = await sql<{ ms: bigint }>`
        SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`.execute(database);
      if (rows[0] === undefined) throw new Error('the database did not say its time');
      return rows[0].ms;
    },

    async createPartitions(now) {
      await database.transaction().execute(async (transaction) => {
        // Two copies that start together would both find the table missing.
        await sql`SELECT pg_advisory_xact_lock(hashtext('retained_body'))`.execute(transaction);
        for (let offset = -1; offset <= 2; offset += 1) {
          const from = dayAt(now + offset * DAY_MS);
          const to = dayAt(now + (offset + 1) * DAY_MS);
          await sql`CREATE TABLE IF NOT EXISTS ${sql.table(partitionAt(now + offset * DAY_MS))}
            PARTITION OF retained_body FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(transaction);
        }
      });
    },

    async check(now) {
      await checkDatabase(database);
      const partition = partitionAt(now);
      const { rows } = await sql<{ found: string | null }>`SELECT to_regclass(${partition})::text AS found`.execute(
        database,
      );
      if (rows[0]?.found == null) throw new Error(`the table ${partition} does not exist`);
    },
  };
}

function latestPosition(calls: readonly SealedCall[]): LedgerPosition | undefined {
  let latest: LedgerPosition | undefined;
  for (const { ledgerPosition } of calls) {
    if (ledgerPosition !== undefined && (latest === undefined || ledgerPosition.sequence > latest.sequence))
      latest = ledgerPosition;
  }
  return latest;
}
