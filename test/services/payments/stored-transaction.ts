import { toLowerHex } from '../../../services/payments/payment/hex.ts';
import type { PaidScheme, SignerTransaction } from '../../../services/payments/signer/signer-transactions.ts';
import type { Database } from '../../../services/store/database.ts';

/** Stores a transaction as what needs it does. */
export async function storeTransaction(
  database: Database,
  network: string,
  transaction: SignerTransaction,
  scheme: PaidScheme = 'exact',
): Promise<void> {
  const [hash, signer] = [toLowerHex(transaction.hash), toLowerHex(transaction.signer)];
  await database
    .insertInto('signer_transaction')
    .values({ network, hash, first_hash: hash, signer, nonce: BigInt(transaction.nonce), scheme })
    .execute();
}
