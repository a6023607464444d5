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

  return {
    unreadable,
    async rekey() {
      let rekeyed = 0;
      let last: Pick<SealedVoucher, 'network' | 'id'> = { network: '', id: '' };
      for (;;) {
        const found = await findNext(database, from, last);
        const end = found.at(-1);
        if (end === undefined) return rekeyed;
        rekeyed += await replaceVouchers(database, keyId, found.flatMap(reseal));
        last = end;
      }
    },
  };
}

async function findNext(
  database: Database,
  from: readonly string[],
  { network, id }: Pick<SealedVoucher, 'network' | 'id'>,
): Promise<readonly SealedVoucher[]> {
  const { rows } = await sql<SealedVoucher>`
    SELECT network, id, signature AS sealed, key_id AS "keyId" FROM ledger.channel
    WHERE (network, id) > (${network}, ${id}) AND key_id = ANY(${[...from]}::text[])
    ORDER BY network, id LIMIT ${BATCH}`.execute(database);
  return rows;
}

/** Replaces vouchers that are unchanged: a call may have been charged meanwhile. @returns their number */
async function replaceVouchers(
  database: Database,
  keyId: string,
  vouchers: readonly ResealedVoucher[],
): Promise<number> {
  if (vouchers.length === 0) return 0;
  const given = sql`unnest(${vouchers.map(({ network }) => network)}::text[], ${vouchers.map(({ id }) => id)}::text[],
    ${vouchers.map(({ before }) => before)}::bytea[], ${vouchers.map(({ sealed }) => sealed)}::bytea[])
    AS given (network, id, before, sealed)`;
  // All that lock several channels take this order. A process that stopped after a statement that only locks them would
  // keep the locks.
  const { numAffectedRows } = await sql`
    WITH locked AS MATERIALIZED (
      SELECT network, id FROM ledger.channel WHERE (network, id) IN (SELECT network, id FROM ${given})
      ORDER BY network, id FOR UPDATE
    )
    UPDATE ledger.channel account SET key_id = ${keyId}, signature = given.sealed
    FROM locked JOIN ${given} ON given.network = locked.network AND given.id = locked.id
    WHERE account.network = locked.network AND account.id = locked.id AND account.signature = given.before`.execute(
    database,
  );
  return Number(numAffectedRows);
}
