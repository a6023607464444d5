import { sql } from 'kysely';
import { createVoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import type { Database } from '../../store/database.ts';
import { type OperatorAct, recordAct } from '../../store/operator-acts.ts';
import { onlyRow } from '../../store/rows.ts';
import { isRecordedKey } from '../retention/retention-keys.ts';

interface SealedVoucher {
  readonly network: string;
  readonly id: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

interface ResealedVoucher extends SealedVoucher {
  readonly before: Buffer;
}

/** The columns of a voucher. */
interface Columns {
  readonly sealed: string;
  readonly keyId: string;
}

const LATEST: Columns = { sealed: 'signature', keyId: 'key_id' };
const CLAIMABLE: Columns = { sealed: 'claimable_signature', keyId: 'claimable_key_id' };
const BATCH = 500;

export interface Resealed {
  /** Id of the key that seals now. */
  readonly keyId: string;
  /** Vouchers that this run sealed anew. */
  readonly resealed: number;
  /** Channels with a voucher that does not decrypt with the key of its id. */
  readonly unreadable: readonly string[];
  /** Vouchers that are sealed with other keys. An open call keeps the key with which it began. */
  readonly left: number;
}

export interface Resealing {
  readonly database: Database;
  readonly keys: NamedKeys;
}

/**
 * Seals the vouchers of channels with the first key. It may be stopped and repeated, and run while calls are charged. Its
 * start and its end are recorded in the audit trail.
 * @throws {ServiceError} RETENTION_KEY_MISSING if no back office has the first key, which then could not claim the vouchers
 */
export async function resealVouchers(
  { database, keys }: Resealing,
  by: Pick<OperatorAct, 'operator' | 'reason'>,
): Promise<Resealed> {
  const [current] = keys;
  if (!(await isRecordedKey(database, current))) {
    const known = `no back office has started with this key under the id ${current.id}`;
    throw new ServiceError('RETENTION_KEY_MISSING', `${known}: restart the back office with RETENTION_KEYS first`);
  }
  const act = { ...by, action: 'channels.reseal', subject: current.id };
  const record = (detail: OperatorAct['detail']) =>
    database.transaction().execute((transaction) => recordAct(transaction, { ...act, detail }));
  await record({ state: 'started' });
  const result = await resealAll({ database, keys });
  const left = await countOthers(database, current.id);
  await record({ state: 'ended', resealed: result.resealed, left });
  return { keyId: current.id, ...result, left };
}

/** The same, without a record. */
export async function resealAll({ database, keys }: Resealing): Promise<Pick<Resealed, 'resealed' | 'unreadable'>> {
  const [{ id: keyId }, ...others] = keys;
  const from = others.map(({ id }) => id);
  const cipher = createVoucherCipher(keys);
  const unreadable = new Set<string>();

  function reseal(voucher: SealedVoucher): readonly ResealedVoucher[] {
    try {
      const { sealed } = cipher.seal(voucher.id, cipher.open(voucher.id, voucher));
      return [{ ...voucher, before: voucher.sealed, sealed }];
    } catch {
      // The caller reports the channel.
      unreadable.add(voucher.id);
      return [];
    }
  }

  let resealed = 0;
  // In this order: a charge may make the latest voucher the claimable one meanwhile.
  for (const columns of [LATEST, CLAIMABLE]) {
    let last: Pick<SealedVoucher, 'network' | 'id'> | undefined = { network: '', id: '' };
    while (last !== undefined) {
      const found: readonly SealedVoucher[] = await findNext(database, { columns, from, last });
      resealed += await replaceVouchers(database, { columns, keyId, vouchers: found.flatMap(reseal) });
      last = found.at(-1);
    }
  }
  return { resealed, unreadable: [...unreadable] };
}

async function countOthers(database: Database, keyId: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    SELECT count(*)::float8 AS left FROM (
      SELECT key_id FROM ledger.channel UNION ALL SELECT claimable_key_id FROM ledger.channel
      UNION ALL SELECT key_id FROM ledger.reservation
    ) AS voucher WHERE key_id <> ${keyId}`.execute(database);
  return onlyRow(rows).left;
}

interface Next {
  readonly columns: Columns;
  readonly from: readonly string[];
  readonly last: Pick<SealedVoucher, 'network' | 'id'>;
}

async function findNext(
  database: Database,
  { columns, from, last: { network, id } }: Next,
): Promise<readonly SealedVoucher[]> {
  const { rows } = await sql<SealedVoucher>`
    SELECT network, id, ${sql.ref(columns.sealed)} AS sealed, ${sql.ref(columns.keyId)} AS "keyId" FROM ledger.channel
    WHERE (network, id) > (${network}, ${id}) AND ${sql.ref(columns.keyId)} = ANY(${[...from]}::text[])
    ORDER BY network, id LIMIT ${BATCH}`.execute(database);
  return rows;
}

interface Replacement {
  readonly columns: Columns;
  readonly keyId: string;
  readonly vouchers: readonly ResealedVoucher[];
}

/** Replaces vouchers that are unchanged: a call may have been charged meanwhile. @returns their number */
async function replaceVouchers(database: Database, { columns, keyId, vouchers }: Replacement): Promise<number> {
  if (vouchers.length === 0) return 0;
  const sealed = sql.ref(columns.sealed);
  const given = sql`unnest(${vouchers.map(({ network }) => network)}::text[], ${vouchers.map(({ id }) => id)}::text[],
    ${vouchers.map(({ before }) => before)}::bytea[], ${vouchers.map((voucher) => voucher.sealed)}::bytea[])
    AS given (network, id, before, sealed)`;
  // All that lock several channels take this order. A process that stopped after a statement that only locks them would
  // keep the locks.
  const { numAffectedRows } = await sql`
    WITH locked AS MATERIALIZED (
      SELECT network, id FROM ledger.channel WHERE (network, id) IN (SELECT network, id FROM ${given})
      ORDER BY network, id FOR UPDATE
    )
    UPDATE ledger.channel account SET ${sql.ref(columns.keyId)} = ${keyId}, ${sealed} = given.sealed
    FROM locked JOIN ${given} ON given.network = locked.network AND given.id = locked.id
    WHERE account.network = locked.network AND account.id = locked.id AND account.${sealed} = given.before`.execute(
    database,
  );
  return Number(numAffectedRows);
}
