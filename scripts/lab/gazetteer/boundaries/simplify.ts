import { defined } from '../../../../workers/exact/defined.ts';
import { UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';

interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/**
 * Simplifies a line (Douglas–Peucker). It removes points that are at most `tolerance` away from the line through the
 * remaining points. The ends remain, so arcs still meet.
 * @param tolerance units of the grid at the equator
 */
export function simplify(x: readonly number[], y: readonly number[], tolerance: number): Line {
  const last = x.length - 1;
  const kept = new Set([0, last]);
  // A degree of longitude is shorter away from the equator.
  const shrink = Math.cos(((defined(y[0]) / UNITS_PER_DEGREE) * Math.PI) / 180);
  const open: [number, number][] = [];
  if (x[0] === x[last] && y[0] === y[last]) {
    // A ring needs two more points. Without them, a small island would disappear.
    const far = farthest({ x, y }, 0, last, shrink).index;
    kept.add(far);
    const third = [farthest({ x, y }, 0, far, shrink), farthest({ x, y }, far, last, shrink)];
    const { index } = third.toSorted((a, b) => b.distance - a.distance)[0] ?? { index: far };
    kept.add(index);
    const corners = [...kept].toSorted((a, b) => a - b);
    for (const [row, corner] of corners.slice(1).entries()) open.push([defined(corners[row]), corner]);
  } else open.push([0, last]);
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to] = span;
    const { index, distance } = farthest({ x, y }, from, to, shrink);
    if (distance <= tolerance) continue;
    kept.add(index);
    open.push([from, index], [index, to]);
  }
  const rows = [...kept].toSorted((a, b) => a - b);
  return { x: rows.map((row) => defined(x[row])), y: rows.map((row) => defined(y[row])) };
}

function farthest({ x, y }: Line, from: number, to: number, shrink: number): { index: number; distance: number } {
  const ax = defined(x[from]) * shrink;
  const ay = defined(y[from]);
  const dx = defined(x[to]) * shrink - ax;
  const dy = defined(y[to]) - ay;
  const length = dx * dx + dy * dy;
  let index = from;
  let distance = -1;
  for (let row = from + 1; row < to; row++) {
    const px = defined(x[row]) * shrink - ax;
    const py = defined(y[row]) - ay;
    const along = length === 0 ? 0 : Math.min(Math.max((px * dx + py * dy) / length, 0), 1);
    const squared = (px - along * dx) ** 2 + (py - along * dy) ** 2;
    if (squared > distance) [index, distance] = [row, squared];
  }
  return { index, distance: Math.sqrt(Math.max(distance, 0)) };
}
