import type { Hex } from 'viem';
import type { Replacements } from '../../../services/payments/signer/replacements.ts';

/** Replacements of one process. */
export function createMemoryReplacements(): Replacements {
  const known = new Map<Hex, Hex>();
  return {
    note: async (replaced, replacement) => {
      known.set(replaced, replacement);
    },
    async versionsOf(transaction) {
      const versions = [transaction];
      for (let next = known.get(transaction); next !== undefined; next = known.get(next)) versions.push(next);
      return versions;
    },
  };
}
