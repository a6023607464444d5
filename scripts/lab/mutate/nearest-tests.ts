import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../../workers/exact/defined.ts';
import { readSources } from '../../checks/imports/graph.ts';
import { readImports } from '../../checks/imports/read-imports.ts';
import { relativePath } from '../../checks/imports/resolver.ts';

/** How many folders name a part and its tests, such as `test/services/ledger`. */
const PART = 3;
const FOLDERS = ['gateway', 'services', 'workers', 'scripts', 'test'];

/**
 * Creates the function that names the test files nearest to a source file: first those of its part that import it, then those
 * of others, each through the fewest files, and of these the ones in the most similar folder. Tests of the file's folder, and of the
 * folders above it, come after those that import it: they may start a process that has it.
 */
export function createNearestTests(root: string): (path: string) => readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [from, text] of readSources(root, FOLDERS)) {
    for (const { specifier } of readImports(from, text)) {
      const to = relativePath(from, specifier);
      if (to !== undefined) importers.set(to, [...(importers.get(to) ?? []), from]);
    }
  }

  return (path) => {
    const distances = new Map([[path, 0]]);
    // The map grows while it is read: each file comes once, the nearest first.
    for (const [file, distance] of distances) {
      for (const importer of importers.get(file) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1);
      }
    }
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) {
      for (const test of globSync([`test/${folder}/*.test.ts`, `test/${folder}.test.ts`], { cwd: root })) {
        if (!distances.has(test)) distances.set(test, Number.POSITIVE_INFINITY);
      }
    }
    return [...distances.keys()]
      .filter((file) => file.endsWith('.test.ts') && !file.includes('/long/'))
      .map((test) => {
        const [distance, shared] = [defined(distances.get(test)), sharedFolders(`test/${path}`, test)];
        return { test, distance, shared, isOwn: shared >= PART && distance < Number.POSITIVE_INFINITY };
      })
      .toSorted((one, other) =>
        one.isOwn !== other.isOwn
          ? Number(other.isOwn) - Number(one.isOwn)
          : one.distance === other.distance
            ? other.shared - one.shared || (one.test < other.test ? -1 : 1)
            : one.distance - other.distance,
      )
      .map(({ test }) => test);
  };
}

/** How many folders two paths begin with. */
function sharedFolders(one: string, other: string): number {
  const [parts, others] = [one.split('/'), other.split('/')];
  const difference = parts.findIndex((part, index) => part !== others[index]);
  return difference === -1 ? parts.length : difference;
}
