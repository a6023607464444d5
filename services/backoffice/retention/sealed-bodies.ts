import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import type { BodyCipher } from './body-cipher.ts';
import { dayOf } from './retention-days.ts';

/** A row of `retained_body` or `retained_body_held`. */
export type SealedBody = Selectable<Tables['retained_body']>;

export interface OpenBodies {
  readonly requestBody: Buffer;
  readonly responseBody: Buffer;
}

/** The bodies of a record, encrypted. Undefined if none are kept. */
export async function findSealedBody(database: Database, recordId: string): Promise<SealedBody | undefined> {
  const found = await selectBody(database, 'retained_body', recordId).executeTakeFirst();
  // In this order: a body is held before its partition is dropped.
  return found ?? (await selectBody(database, 'retained_body_held', recordId).executeTakeFirst());
}

function selectBody(
  database: Database,
  table: 'retained_body' | 'retained_body_held',
  recordId: string,
): SelectQueryBuilder<Tables, typeof table, SealedBody> {
  return database.selectFrom(table).selectAll().where('day', '=', dayOf(recordId)).where('record_id', '=', recordId);
}

/** The records that a request stored. A request stores one, unless it calls several tools. */
export async function findRecordsOfRequest(database: Database, requestId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ recordId: string }>`
    SELECT record_id AS "recordId" FROM retained_body WHERE request_id = ${requestId}::uuid
    UNION SELECT record_id FROM retained_body_held WHERE request_id = ${requestId}::uuid
    ORDER BY "recordId"`.execute(database);
  return rows.map(({ recordId }) => recordId);
}

/** @throws {ServiceError} RETENTION_KEY_MISSING, RETAINED_BODY_UNREADABLE */
export async function openBodies(cipher: BodyCipher, sealed: SealedBody): Promise<OpenBodies> {
  const { record_id: recordId, key_id: keyId } = sealed;
  const [requestBody, responseBody] = await Promise.all([
    cipher.open(sealed.request_body, keyId, { recordId, part: 'request' }),
    cipher.open(sealed.response_body, keyId, { recordId, part: 'response' }),
  ]);
  return { requestBody, responseBody };
}

export interface RetainedCall extends OpenBodies {
  readonly operation: string;
}

/** A call whose bodies are stored. Undefined if they are not. @throws {ServiceError} as `openBodies` */
export async function readCall(
  { database, cipher }: { readonly database: Database; readonly cipher: BodyCipher },
  recordId: string,
): Promise<RetainedCall | undefined> {
  const sealed = await findSealedBody(database, recordId);
  return sealed && { operation: sealed.operation, ...(await openBodies(cipher, sealed)) };
}
