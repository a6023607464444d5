import { dirname } from 'node:path';

export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds groups of folders that import each other, directly or through other folders. A folder means only the files
 * directly in it, so a folder and its parent are two folders. Uses Tarjan's algorithm (1972).
 */
export function findFolderCircles(imports: readonly Import[]): readonly (readonly string[])[] {
  const imported = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [dirname(from), dirname(to)];
    if (source !== target) imported.set(source, (imported.get(source) ?? new Set()).add(target));
  }
  const order = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];

  function visit(folder: string): number {
    const own = order.size;
    order.set(folder, own);
    path.push(folder);
    let low = own;
    for (const next of imported.get(folder) ?? []) {
      const index = order.get(next);
      if (index === undefined) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, index);
    }
    if (low === own) {
      const circle = path.splice(path.indexOf(folder));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  }

  for (const folder of imported.keys()) if (!order.has(folder)) visit(folder);
  return circles;
}
