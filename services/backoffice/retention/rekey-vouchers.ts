import { sql } from 'kysely';
import type { VoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import type { Database } from '../../store/database.ts';

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

/**
 * Creates the function that encrypts the vouchers of channels again that are encrypted with one of the keys `from`. It
 * returns their number. `unreadable` collects the channels whose voucher does not decrypt.
 */
export function createRekeyOfVouchers(options: {
  readonly database: Database;
  readonly cipher: VoucherCipher;
  /** The key that encrypts now. */
  readonly keyId: string;
  readonly from: readonly string[];
}): { readonly rekey: () => Promise<number>; readonly unreadable: ReadonlySet<string> } {
  const { database, cipher, keyId, from } = options;
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

  async function rekeyColumns(columns: Columns): Promise<number> {
    let rekeyed = 0;
    let last: Pick<SealedVoucher, 'network' | 'id'> = { network: '', id: '' };
    for (;;) {
      const found = await findNext(database, { columns, from, last });
      const end = found.at(-1);
      if (end === undefined) return rekeyed;
      rekeyed += await replaceVouchers(database, { columns, keyId, vouchers: found.flatMap(reseal) });
      last = end;
    }
  }

  return {
    unreadable,
    // A charge may make the latest voucher the claimable one meanwhile.
    rekey: async () => (await rekeyColumns(LATEST)) + (await rekeyColumns(CLAIMABLE)),
  };
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
