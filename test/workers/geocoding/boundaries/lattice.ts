import { defined } from '../../../../workers/exact/defined.ts';
import { type Arcs, encodeArcs, UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';
import type { Columns } from '../../../../workers/geocoding/columns/columns.ts';

export interface Corner {
  readonly x: number;
  readonly y: number;
}

/** A quadrilateral of the lattice. Label 0 is the sea. */
export interface Cell {
  readonly label: number;
  readonly corners: readonly Corner[];
}

export interface Lattice {
  readonly arcs: Arcs;
  readonly cells: readonly Cell[];
}

/** Divides the world into irregular quadrilaterals, about `step` degrees wide. Each has its own label or is sea. */
export function makeLattice(step: number, random: () => number): Lattice {
  const [columns, rows] = [360 / step, 180 / step];
  const units = step * UNITS_PER_DEGREE;
  const crooked = () => Math.round((random() - 0.5) * 0.8 * units);
  const corners = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column): Corner => {
      const edge = row === 0 || row === rows || column === 0 || column === columns;
      const [x, y] = [-180 * UNITS_PER_DEGREE + column * units, -90 * UNITS_PER_DEGREE + row * units];
      return edge ? { x, y } : { x: x + crooked(), y: y + crooked() };
    }),
  );
  const labels = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (random() < 0.3 ? 0 : 1 + ((row * columns + column) % 60_000))),
  );
  const corner = (row: number, column: number) => defined(corners[row]?.[column]);
  // Everything outside the lattice is sea.
  const label = (row: number, column: number) => labels[row]?.[column] ?? 0;
  const edges: { from: Corner; to: Corner; left: number; right: number }[] = [];
  const cells: Cell[] = [];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const from = corner(row, column);
      const above = label(row, column);
      if (column < columns)
        edges.push({ from, to: corner(row, column + 1), left: above, right: label(row - 1, column) });
      if (row < rows) edges.push({ from, to: corner(row + 1, column), left: label(row, column - 1), right: above });
      if (row === rows || column === columns) continue;
      const ring = [from, corner(row, column + 1), corner(row + 1, column + 1), corner(row + 1, column)];
      cells.push({ label: above, corners: ring });
    }
  }
  return { arcs: toArcs(edges.filter(({ left, right }) => left !== right)), cells };
}

export function toArcs(
  edges: readonly { readonly from: Corner; readonly to: Corner; readonly left: number; readonly right: number }[],
): Arcs {
  return {
    x: Int32Array.from(edges.flatMap(({ from, to }) => [from.x, to.x])),
    y: Int32Array.from(edges.flatMap(({ from, to }) => [from.y, to.y])),
    starts: Uint32Array.from({ length: edges.length + 1 }, (_, arc) => 2 * arc),
    left: Uint16Array.from(edges, ({ left }) => left),
    right: Uint16Array.from(edges, ({ right }) => right),
  };
}

interface Rectangle {
  readonly label: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Encodes rectangles as a layer. Neighbors must share a whole side. */
export function encodeRectangles(rectangles: readonly Rectangle[], prefix: string): Columns {
  const edges = new Map<string, { from: Corner; to: Corner; left: number; right: number }>();
  const key = (a: Corner, b: Corner) => `${a.x},${a.y} ${b.x},${b.y}`;
  const corner = (longitude: number, latitude: number): Corner => {
    return { x: Math.round(longitude * UNITS_PER_DEGREE), y: Math.round(latitude * UNITS_PER_DEGREE) };
  };
  for (const { label, west, south, east, north } of rectangles) {
    const ring = [corner(west, south), corner(east, south), corner(east, north), corner(west, north)];
    for (const [at, from] of ring.entries()) {
      const to = defined(ring[(at + 1) % 4]);
      const shared = edges.get(key(to, from));
      if (shared === undefined) edges.set(key(from, to), { from, to, left: label, right: 0 });
      else shared.right = label;
    }
  }
  return encodeArcs(toArcs([...edges.values()]), prefix);
}

/** The label of the polygon that contains a point, by the even-odd rule. 0 if there is none. */
export function labelByBruteForce(cells: readonly Cell[], { x, y }: Corner): number {
  for (const { label, corners } of cells) {
    let inside = false;
    let from = defined(corners.at(-1));
    for (const to of corners) {
      if (from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)) inside = !inside;
      from = to;
    }
    if (inside) return label;
  }
  return 0;
}

/** A generator of pseudorandom numbers in [0, 1) (mulberry32). A seed always gives the same numbers. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
