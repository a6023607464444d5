import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import type { BodyCipher } from './body-cipher.ts';
import { checkRetention, createPartitions } from './partitions.ts';
import { findSealedBody, openBodies } from './sealed-bodies.ts';

/** A call whose bodies are stored. */
export interface RetainedCall {
  readonly operation: string;
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
}

export interface Retention {
  read(recordId: string): Promise<RetainedCall | undefined>;
  /** Milliseconds since the epoch by the clock of the database. */
  databaseTimeMs(): Promise<bigint>;
  /** Creates the partitions of the days around `now`. */
  createPartitions(now: number): Promise<void>;
  /** Throws when bodies cannot be retained at `now`. */
  check(now: number): Promise<void>;
}

export function createRetention(options: { readonly database: Database; readonly cipher: BodyCipher }): Retention {
  const { database, cipher } = options;
  return {
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
