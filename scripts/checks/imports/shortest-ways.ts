import { defined } from '../../../workers/exact/defined.ts';
import type { Import } from './graph.ts';

/**
 * Creates the function that finds the shortest chain of imports from a file to one of the targets, with both ends. It
 * is `undefined` if no target can be reached. A chain has at least one import, also from a target.
 */
export function createShortestWays(imports: readonly Import[], targets: ReadonlySet<string>) {
  const importers = new Map<string, string[]>();
  for (const { from, to } of imports) {
    const known = importers.get(to);
    if (known === undefined) importers.set(to, [from]);
    else known.push(from);
  }
  const next = new Map<string, string>();
  const found = [...targets];
  // The list grows while it is read: the files nearest to a target come first.
  for (const file of found) {
    for (const importer of importers.get(file) ?? []) {
      if (next.has(importer)) continue;
      next.set(importer, file);
      found.push(importer);
    }
  }

  return (from: string): readonly string[] | undefined => {
    if (!next.has(from)) return undefined;
    const chain = [from];
    let file = from;
    do {
      file = defined(next.get(file));
      chain.push(file);
    } while (!targets.has(file));
    return chain;
  };
}
