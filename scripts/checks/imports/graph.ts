import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports } from './read-imports.ts';
import type { Resolved, Resolver } from './resolver.ts';

export interface Import extends Resolved {
  readonly from: string;
  /** Whether each import of it in this file is of types only. */
  readonly typeOnly: boolean;
}

/** Reads the sources in folders. @returns the texts by their paths from the root */
export function readSources(root: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root }).toSorted());
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Finds the imports of all sources. What a file imports more than once is listed once. */
export function findImports(sources: ReadonlyMap<string, string>, resolve: Resolver): readonly Import[] {
  return [...sources].flatMap(([from, text]) => {
    const imports = new Map<string, Import>();
    for (const { specifier, typeOnly } of readImports(from, text)) {
      const resolved = resolve(from, specifier);
      const earlier = imports.get(resolved.to);
      imports.set(resolved.to, { from, ...resolved, typeOnly: typeOnly && earlier?.typeOnly !== false });
    }
    return [...imports.values()];
  });
}
