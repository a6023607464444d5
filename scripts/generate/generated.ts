import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of one generator. */
export interface Generated {
  /** A glob of all files that belong to the generator. Other files that match are left over. */
  readonly owned: string;
  /** Content by path from the root of the checkout. */
  readonly files: ReadonlyMap<string, string>;
}

/** Paths of files that differ from the generated content, are missing, or are left over. */
export function staleFiles(root: string, { owned, files }: Generated): readonly string[] {
  const leftOver = globSync(owned, { cwd: root }).filter((path) => !files.has(path));
  const changed = Array.from(files).filter(([path, content]) => {
    const place = join(root, path);
    return !existsSync(place) || readFileSync(place, 'utf8') !== content;
  });
  return [...leftOver, ...changed.map(([path]) => path)].sort();
}

/** Writes the generated files to the checkout, and removes left-over files. */
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
