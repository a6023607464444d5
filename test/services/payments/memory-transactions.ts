import type { Hex } from 'viem';
import type { SignerTransactions } from '../../../services/payments/signer/signer-transactions.ts';

/** Transactions of one process. Others than those that were noted can be replaced too. */
export function createMemoryTransactions() {
  const firstOf = new Map<Hex, Hex>();
  const noted: unknown[] = [];
  const first = (hash: Hex) => firstOf.get(hash) ?? hash;
  const put = (hash: Hex, of: Hex) => firstOf.set(hash, firstOf.get(hash) ?? of);
  const transactions: SignerTransactions = {
    async noteReplacement({ hash, nonce }, replaced) {
      noted.push([hash, nonce, replaced]);
      put(replaced, replaced);
      put(hash, first(replaced));
    },
    versionsOf: async (hash) =>
      firstOf.has(hash) ? [...firstOf.keys()].filter((each) => first(each) === first(hash)) : [hash],
  };
  return { transactions, noted };
}
