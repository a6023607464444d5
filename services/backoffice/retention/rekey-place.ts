import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { BodyCipher } from './body-cipher.ts';
import { openBodies, type SealedBody } from './sealed-bodies.ts';

/** One day of the retained bodies, or all held ones. */
export type Place =
  | { readonly table: 'retained_body'; readonly day: string }
  | { readonly table: 'retained_body_held' };

const BATCH = 100;
/** Rows that are open at a time. A row may hold bodies of 48 MiB. */
const PARALLEL = 4;
/** Encrypted. A larger row is a batch of its own. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Found {
  readonly recordId: string;
  readonly bytes: number;
}

/**
 * Creates the function that encrypts the bodies of a place again that are encrypted with one of the keys `from`. It
 * returns their number. `unreadable` collects the records that do not decrypt.
 */
export function createRekeyOfPlace(options: {
  readonly database: Database;
  readonly cipher: BodyCipher;
  readonly from: readonly string[];
}): { readonly rekeyPlace: (place: Place) => Promise<number>; readonly unreadable: ReadonlySet<string> } {
  const { database, cipher, from } = options;
  const unreadable = new Set<string>();

  async function reseal(sealed: SealedBody): Promise<readonly SealedBody[]> {
    const { record_id: recordId } = sealed;
    try {
      const { requestBody, responseBody } = await openBodies(cipher, sealed);
      const [request, response] = await Promise.all([
        cipher.seal(requestBody, { recordId, part: 'request' }),
        cipher.seal(responseBody, { recordId, part: 'response' }),
      ]);
      return [{ ...sealed, request_body: request, response_body: response }];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unreadable.add(recordId);
      return [];
    }
  }

  async function rekeyBatch(place: Place, ids: readonly string[]): Promise<number> {
    const rows = await inPlace(database, place).selectAll().where('record_id', 'in', ids).execute();
    const resealed: SealedBody[] = [];
    for (let start = 0; start < rows.length; start += PARALLEL) {
      resealed.push(...(await Promise.all(rows.slice(start, start + PARALLEL).map(reseal))).flat());
    }
    return resealed.length === 0 ? 0 : replaceBodies(database, { place, rows: resealed, keyId: cipher.keyId });
  }

  return {
    unreadable,
    async rekeyPlace(place) {
      let rekeyed = 0;
      let last = FIRST_ID;
      for (;;) {
        const found = await findNext(database, { place, from, last });
        const batch = takeBatch(found);
        const end = batch.at(-1);
        if (end === undefined) return rekeyed;
        rekeyed += await rekeyBatch(place, batch);
        last = end;
      }
    },
  };
}

function inPlace(database: Database, place: Place) {
  const rows = database.selectFrom<'retained_body' | 'retained_body_held'>(place.table);
  return place.table === 'retained_body' ? rows.where('day', '=', place.day) : rows;
}

async function findNext(
  database: Database,
  { place, from, last }: { readonly place: Place; readonly from: readonly string[]; readonly last: string },
): Promise<readonly Found[]> {
  if (from.length === 0) return [];
  return inPlace(database, place)
    .select([
      'record_id as recordId',
      sql<number>`octet_length(request_body) + octet_length(response_body)`.as('bytes'),
    ])
    .where('key_id', 'in', from)
    .where('record_id', '>', last)
    .orderBy('record_id')
    .limit(BATCH)
    .execute();
}

/** The first records that fit together in memory: at least one, if there is any. */
function takeBatch(found: readonly Found[]): readonly string[] {
  let bytes = 0;
  const end = found.findIndex((each, index) => {
    bytes += each.bytes;
    return index > 0 && bytes > MAX_BATCH_BYTES;
  });
  return found.slice(0, end === -1 ? found.length : end).map(({ recordId }) => recordId);
}

/** Replaces bodies that are still there and unchanged. @returns their number */
async function replaceBodies(
  database: Database,
  { place, rows, keyId }: { readonly place: Place; readonly rows: readonly SealedBody[]; readonly keyId: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(place.table)} AS body SET key_id = ${keyId}, request_body = given.request,
      response_body = given.response
    FROM unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.record_id)}::uuid[],
      ${rows.map((row) => row.key_id)}::text[], ${rows.map((row) => row.request_body)}::bytea[],
      ${rows.map((row) => row.response_body)}::bytea[]
    ) AS given (day, record_id, key_id, request, response)
    WHERE body.day = given.day AND body.record_id = given.record_id AND body.key_id = given.key_id`.execute(database);
  return Number(numAffectedRows);
}
