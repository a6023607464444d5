import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a generator made. */
export interface Generated {
  /** Pattern of all files that are its own: what it did not make there is left over. */
  readonly owned: string;
  /** Content by path from the root of the checkout. */
  readonly files: ReadonlyMap<string, string>;
}

/** Paths whose content differs from what was generated, that are missing, or left over. */
export function staleFiles(root: string, { owned, files }: Generated): readonly string[] {
  const leftOver = globSync(owned, { cwd: root }).filter((path) => !files.has(path));
  const changed = Array.from(files).filter(([path, content]) => {
    const place = join(root, path);
    return !existsSync(place) || readFileSync(place, 'utf8') !== content;
  });
  return [...leftOver, ...changed.map(([path]) => path)].sort();
}

/** Makes the checkout agree with what was generated. */
export function writeGenerated(root: string, generated: Generated): void {
  for (const path of staleFiles(root, generated)) {
    const content = generated.files.get(path);
    const place = join(root, path);
    if (content === undefined) {
      rmSync(place);
      continue;
    }
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}
