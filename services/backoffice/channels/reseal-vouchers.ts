import { sql } from 'kysely';
import { createVoucherCipher, type VoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';
import { isRecordedKey } from '../retention/retention-keys.ts';

interface SealedVoucher {
  readonly network: string;
  readonly id: string;
  readonly sealed: Buffer;
  readonly keyId: string;
}

interface Resealed {
  /** Vouchers that this run sealed anew. */
  readonly resealed: number;
  /** Channels with a voucher that does not decrypt, because its key is missing or another one. */
  readonly unreadable: readonly string[];
}

/**
 * Seals the vouchers of channels with the first key. It may be stopped and repeated, and run while calls are charged. The
 * voucher of an open call keeps its key.
 * @throws {ServiceError} RETENTION_KEY_MISSING if no back office has the first key, which then could not claim the vouchers
 */
export async function resealVouchers(
  { database, keys }: { readonly database: Database; readonly keys: NamedKeys },
  by: ActBy,
): Promise<Resealed> {
  const [current] = keys;
  if (!(await isRecordedKey(database, current))) {
    const known = `no back office has started with this key under the id ${current.id}`;
    throw new ServiceError('RETENTION_KEY_MISSING', `${known}: restart the back office with RETENTION_KEYS first`);
  }
  const act = { ...by, action: 'channels.reseal', subject: current.id, detail: {} };
  await database.transaction().execute((transaction) => recordAct(transaction, act));
  const cipher = createVoucherCipher(keys);
  const unreadable = new Set<string>();
  let resealed = 0;
  // In this order: a charge may make the latest voucher the claimable one meanwhile.
  for (const prefix of ['', 'claimable_']) {
    const [signatureColumn, keyColumn] = [sql.ref(`${prefix}signature`), sql.ref(`${prefix}key_id`)];
    const { rows } = await sql<SealedVoucher>`
      SELECT network, id, ${signatureColumn} AS sealed, ${keyColumn} AS "keyId" FROM ledger.channel
      WHERE ${keyColumn} <> ${current.id}`.execute(database);
    for (const voucher of rows) {
      const { network, id, sealed: before } = voucher;
      const signature = openVoucher(cipher, voucher);
      if (signature === undefined) {
        unreadable.add(id);
        continue;
      }
      const { sealed, keyId } = cipher.seal(id, signature);
      // A call may have been charged meanwhile.
      const { numAffectedRows } = await sql`
        UPDATE ledger.channel SET ${keyColumn} = ${keyId}, ${signatureColumn} = ${sealed}
        WHERE network = ${network} AND id = ${id} AND ${signatureColumn} = ${before}`.execute(database);
      resealed += Number(numAffectedRows);
    }
  }
  return { resealed, unreadable: [...unreadable] };
}

function openVoucher(cipher: VoucherCipher, voucher: SealedVoucher): string | undefined {
  try {
    return cipher.open(voucher.id, voucher);
  } catch {
    // The caller reports the channel.
    return undefined;
  }
}
