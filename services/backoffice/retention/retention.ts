import { sql } from 'kysely';
import { createGroupCommit } from '../../platform/group-commit.ts';
import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { MAX_COMMIT_BYTES, MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import type { BodyCipher } from './body-cipher.ts';
import { insertCalls, type SealedCall } from './insert-calls.ts';
import { checkRetention, createPartitions } from './partitions.ts';
import type { RetainedCall } from './retained-call.ts';
import { dayOf } from './retention-days.ts';
import { findSealedBody, openBodies } from './sealed-bodies.ts';

export interface Retention {
  /**
   * Resolves when the record of a paid call is committed, with the obligation to resolve its payment. The ledger stores
   * the bodies of trials and channels.
   * @throws {SupersededError} when another execution of the same payment is retained
   */
  retain(call: RetainedCall): Promise<void>;
  read(recordId: string): Promise<Pick<RetainedCall, 'operation' | 'requestBody' | 'responseBody'> | undefined>;
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
      }),
    read: (recordId) => readCall(database, cipher, recordId),
    databaseTimeMs: () => readDatabaseTimeMs(database),
    createPartitions: (now) => createPartitions(database, now),
    check: (now) => checkRetention(database, now),
  };
}

async function readCall(database: Database, cipher: BodyCipher, recordId: string): ReturnType<Retention['read']> {
  const sealed = await findSealedBody(database, recordId);
  return sealed === undefined ? undefined : { operation: sealed.operation, ...(await openBodies(cipher, sealed)) };
}

async function readDatabaseTimeMs(database: Database): Promise<bigint> {
  const { rows } = await sql<{ ms: bigint }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`.execute(database);
  return onlyRow(rows).ms;
}
