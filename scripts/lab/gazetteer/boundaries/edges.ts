import { defined } from '../../../../workers/exact/defined.ts';
import { NO_AREA } from '../../../../workers/geocoding/boundaries/arcs.ts';
import type { Ring } from './rings.ts';

/**
 * The border lines of all polygons. An edge goes from one vertex to another. `left` and `right` are the indexes, plus
 * one, of the polygons on its two sides, or `NO_AREA`.
 */
export interface Edges {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
}

const VERTICES_AT_MOST = 2 ** 24;
const SPAN = 4_000_000;

/**
 * Collects the edges of all rings. Neighbors share vertices, so each shared border line is in the rings of both
 * neighbors, in opposite directions.
 * @throws {Error} if two polygons overlap
 */
export function collectEdges(polygons: readonly { readonly rings: readonly Ring[] }[]): Edges {
  const edges = { x: [] as number[], y: [] as number[], from: [] as number[], to: [] as number[] };
  const sides = { left: [] as number[], right: [] as number[] };
  const vertices = new Map<number, number>();
  const known = new Map<number, number>();
  const vertexOf = (x: number, y: number) => {
    const key = x * SPAN + y;
    const found = vertices.get(key);
    if (found !== undefined) return found;
    vertices.set(key, edges.x.length);
    edges.x.push(x);
    edges.y.push(y);
    return edges.x.length - 1;
  };
  const add = (from: number, to: number, polygon: number) => {
    const key = Math.min(from, to) * VERTICES_AT_MOST + Math.max(from, to);
    const edge = known.get(key) ?? edges.from.length;
    if (!known.has(key)) {
      known.set(key, edge);
      edges.from.push(from);
      edges.to.push(to);
      sides.left.push(NO_AREA);
      sides.right.push(NO_AREA);
    }
    const side = edges.from[edge] === from ? sides.left : sides.right;
    if (side[edge] !== NO_AREA) throw new Error(`polygons ${side[edge]} and ${polygon} overlap`);
    side[edge] = polygon + 1;
  };
  for (const [polygon, { rings }] of polygons.entries()) {
    for (const { x, y } of rings) {
      const ring = Array.from(x, (value, row) => vertexOf(value, defined(y[row])));
      let from = ring.at(-1) ?? 0;
      for (const to of ring) {
        // Two neighboring points may be the same point on the grid.
        if (from !== to) add(from, to, polygon);
        from = to;
      }
    }
  }
  return { ...edges, ...sides };
}
