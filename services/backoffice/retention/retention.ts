import { sql } from 'kysely';
import { createGroupCommit } from '../../platform/group-commit.ts';
import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { MAX_COMMIT_BYTES, MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import type { Database } from '../../store/database.ts';
import { assertNotRestored } from '../../store/database-identity.ts';
import { onlyRow } from '../../store/rows.ts';
import type { BodyCipher } from './body-cipher.ts';
import { insertCalls, type SealedCall } from './insert-calls.ts';
import { checkRetention, createPartitions } from './partitions.ts';
import type { LedgerPosition, RetainedCall } from './retained-call.ts';
import { dayOf } from './retention-days.ts';
import { findRetained, findSealedBody, openBodies } from './sealed-bodies.ts';

export interface Retention {
  /**
   * Resolves when the record is committed. For a payment, an obligation is committed with it. A trial needs none: the
   * ledger lists the reservations that are still open.
   * @throws {SupersededError} when another execution of the same payment is retained
   * @throws {OutdatedTrialError} when the ledger was restored since the trial was reserved
   */
  retain(call: RetainedCall): Promise<void>;
  read(recordId: string): Promise<Pick<RetainedCall, 'operation' | 'requestBody' | 'responseBody'> | undefined>;
  /** The ids that have a record. */
  findRetained(recordIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Records the position of a ledger. Returns the farthest recorded position of its recorded epoch.
   * @throws {DatabaseRestoredError} until an operator has accepted a restored database
   */
  attest(position: LedgerPosition): Promise<LedgerPosition>;
  /** Milliseconds since the epoch by the clock of the database. */
  databaseTimeMs(): Promise<bigint>;
  /** Creates the partitions of the days around `now`. */
  createPartitions(now: number): Promise<void>;
  /** Throws when bodies cannot be retained at `now`. */
  check(now: number): Promise<void>;
}

/** Another execution of the same payment is retained. Nothing of this one is stored. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** The ledger was restored since the trial was reserved, and its reservation was released. Nothing is stored. */
export class OutdatedTrialError extends Error {
  override readonly name = 'OutdatedTrialError';
}

const MAX_COMMIT_CALLS = 256;

export function createRetention(options: { readonly database: Database; readonly cipher: BodyCipher }): Retention {
  const { database, cipher } = options;
  const commit = createGroupCommit({
    commit: (calls: readonly SealedCall[]) => insertCalls(database, cipher.keyId, calls),
    maxItems: MAX_COMMIT_CALLS,
    maxBytes: MAX_COMMIT_BYTES,
  });
  const hold = createByteBound(MAX_WAITING_BYTES);
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
        if (inserted === 'outdated') throw new OutdatedTrialError(`${recordId} was reserved in an ended epoch`);
      }),
    read: (recordId) => readCall(database, cipher, recordId),
    findRetained: (recordIds) => findRetained(database, recordIds),
    attest: (position) => attest(database, position),
    databaseTimeMs: () => readDatabaseTimeMs(database),
    createPartitions: (now) => createPartitions(database, now),
    check: (now) => checkRetention(database, now),
  };
}

async function readCall(database: Database, cipher: BodyCipher, recordId: string): ReturnType<Retention['read']> {
  const sealed = await findSealedBody(database, recordId);
  return sealed === undefined ? undefined : { operation: sealed.operation, ...(await openBodies(cipher, sealed)) };
}

export async function attest(
  database: Database,
  { network, epoch, sequence }: LedgerPosition,
): Promise<LedgerPosition> {
  await assertNotRestored(database);
  const { rows } = await sql<LedgerPosition>`
    INSERT INTO ledger_witness (network, epoch, sequence) VALUES (${network}, ${epoch}, ${sequence})
    ON CONFLICT (network) DO UPDATE SET sequence = CASE WHEN ledger_witness.epoch = excluded.epoch
      THEN greatest(ledger_witness.sequence, excluded.sequence) ELSE ledger_witness.sequence END
    RETURNING network, epoch, sequence`.execute(database);
  return onlyRow(rows);
}

async function readDatabaseTimeMs(database: Database): Promise<bigint> {
  const { rows } = await sql<{ ms: bigint }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`.execute(database);
  return onlyRow(rows).ms;
}
