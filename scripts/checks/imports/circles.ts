import { dirname } from 'node:path';

interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds groups of folders that import each other, directly or through other folders. A folder means only the files
 * directly in it, so a folder and its parent are two folders.
 */
export function findFolderCircles(imports: readonly Edge[]): readonly (readonly string[])[] {
  const between = imports.map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }));
  return findCircles(between.filter(({ from, to }) => from !== to));
}

/**
 * Finds groups in which each leads to each other, directly or through others, and those that lead to themselves. Uses
 * Tarjan's algorithm (1972).
 */
export function findCircles(edges: readonly Edge[]): readonly (readonly string[])[] {
  const following = new Map<string, Set<string>>();
  for (const { from, to } of edges) following.set(from, (following.get(from) ?? new Set()).add(to));
  const order = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];

  function visit(name: string): number {
    const own = order.size;
    order.set(name, own);
    path.push(name);
    let low = own;
    for (const next of following.get(name) ?? []) {
      const index = order.get(next);
      if (index === undefined) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, index);
    }
    if (low === own) {
      const circle = path.splice(path.indexOf(name));
      if (circle.length > 1 || following.get(name)?.has(name)) circles.push(circle.toSorted());
    }
    return low;
  }

  for (const name of following.keys()) if (!order.has(name)) visit(name);
  return circles;
}
