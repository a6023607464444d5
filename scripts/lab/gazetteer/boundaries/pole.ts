import { defined } from '../../../../workers/exact/defined.ts';
import { type Arcs, UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The point of an area that is farthest from its border. */
export interface Pole extends Point {
  /** The distance to the border. */
  readonly km: number;
}

interface Segments {
  /** Four numbers per line: x and y of its start, x and y of its end. x is the longitude times `shrink`. */
  readonly ends: readonly number[];
  /** The length of a degree of longitude here, as a share of its length at the equator. */
  readonly shrink: number;
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  readonly distance: number;
  /** Upper bound of the distance from a point in the square to the border. */
  readonly bound: number;
}

/** The result is at most this share worse than the best point. */
const PRECISION = 0.05;
const KM_PER_DEGREE = 111.2;

/**
 * Finds the point inside an area that is farthest from its border (pole of inaccessibility). A square is split as long
 * as it may contain a better point.
 * @param inside says whether a label belongs to the area
 */
export function poleOf(arcs: Arcs, own: readonly number[], inside: (label: number) => boolean): Pole | undefined {
  const segments = segmentsOf(arcs, own, inside);
  const { ends, shrink } = segments;
  if (ends.length === 0) return undefined;
  let best: Square = squareAt(segments, defined(ends[0]), defined(ends[1]), 0);
  const open = coveringSquares(segments);
  while (open.length > 0) {
    open.sort((a, b) => a.bound - b.bound);
    const square = open.pop();
    if (square === undefined || square.bound <= best.distance * (1 + PRECISION) || square.half < 0.5) break;
    if (square.distance > best.distance) best = square;
    const half = square.half / 2;
    for (const [dx, dy] of [
      [-half, -half],
      [-half, half],
      [half, -half],
      [half, half],
    ] as const) {
      const part = squareAt(segments, square.x + dx, square.y + dy, half);
      if (part.distance > best.distance) best = part;
      if (part.bound > best.distance * (1 + PRECISION)) open.push(part);
    }
  }
  return {
    latitude: best.y / UNITS_PER_DEGREE,
    longitude: best.x / shrink / UNITS_PER_DEGREE,
    km: (best.distance / UNITS_PER_DEGREE) * KM_PER_DEGREE,
  };
}

function segmentsOf(arcs: Arcs, own: readonly number[], inside: (label: number) => boolean): Segments {
  const border = own.filter((arc) => inside(defined(arcs.left[arc])) !== inside(defined(arcs.right[arc])));
  let north = -Infinity;
  let south = Infinity;
  for (const arc of border) {
    const y = arcs.y[arcs.starts[arc] ?? 0] ?? 0;
    north = Math.max(north, y);
    south = Math.min(south, y);
  }
  const shrink = Math.max(Math.cos(((north + south) / 2 / UNITS_PER_DEGREE) * (Math.PI / 180)), 0.05);
  const ends: number[] = [];
  for (const arc of border) {
    for (let edge = defined(arcs.starts[arc]); edge + 1 < defined(arcs.starts[arc + 1]); edge++) {
      ends.push(
        defined(arcs.x[edge]) * shrink,
        defined(arcs.y[edge]),
        defined(arcs.x[edge + 1]) * shrink,
        defined(arcs.y[edge + 1]),
      );
    }
  }
  return { ends, shrink };
}

function coveringSquares(segments: Segments): Square[] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < segments.ends.length; at += 2) {
    west = Math.min(west, defined(segments.ends[at]));
    east = Math.max(east, defined(segments.ends[at]));
    south = Math.min(south, defined(segments.ends[at + 1]));
    north = Math.max(north, defined(segments.ends[at + 1]));
  }
  const half = Math.max(Math.min(east - west, north - south) / 2, 1);
  const squares: Square[] = [];
  for (let x = west + half; x < east + half; x += 2 * half) {
    for (let y = south + half; y < north + half; y += 2 * half) squares.push(squareAt(segments, x, y, half));
  }
  return squares;
}

/** A square with the distance of its center to the border, negative outside (even-odd rule, with a ray to the east). */
function squareAt({ ends }: Segments, x: number, y: number, half: number): Square {
  let inside = false;
  let squared = Infinity;
  for (let at = 0; at < ends.length; at += 4) {
    const ax = defined(ends[at]) - x;
    const ay = defined(ends[at + 1]) - y;
    const bx = defined(ends[at + 2]) - x;
    const by = defined(ends[at + 3]) - y;
    if (ay > 0 !== by > 0 && ax + (-ay / (by - ay)) * (bx - ax) > 0) inside = !inside;
    const dx = bx - ax;
    const dy = by - ay;
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(Math.max(-(ax * dx + ay * dy) / length, 0), 1);
    squared = Math.min(squared, (ax + along * dx) ** 2 + (ay + along * dy) ** 2);
  }
  const distance = inside ? Math.sqrt(squared) : -Math.sqrt(squared);
  return { x, y, half, distance, bound: distance + half * Math.SQRT2 };
}
