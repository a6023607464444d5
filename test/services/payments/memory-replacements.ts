import type { Hex } from 'viem';
import type { Replacements } from '../../../services/payments/signer/replacements.ts';

/** Replacements of one process. */
export function createMemoryReplacements(): Replacements {
  const known = new Map<Hex, Hex>();
  const firstOf = (transaction: Hex): Hex => {
    const replaced = [...known].find(([, replacement]) => replacement === transaction)?.[0];
    return replaced === undefined ? transaction : firstOf(replaced);
  };
  return {
    note: async (replaced, replacement) => {
      known.set(replaced, replacement);
    },
    async versionsOf(transaction) {
      const first = firstOf(transaction);
      const versions = [first];
      for (let next = known.get(first); next !== undefined; next = known.get(next)) versions.push(next);
      return versions;
    },
  };
}
