import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { defined } from '../../workers/exact/defined.ts';
import { decodeArcs, NO_AREA, UNITS_PER_DEGREE } from '../../workers/geocoding/boundaries/arcs.ts';
import { columnOf, decodeColumns } from '../../workers/geocoding/columns/columns.ts';
import type { Generated } from './generated.ts';

const DATA = 'workers/geocoding/data/boundaries.zst';
const PATH = 'gateway/pages/assets/generated/world.json';

/** Outlines are in tenths of degrees. */
const UNIT = UNITS_PER_DEGREE / 10;
/** Points that are nearer than this to the simplified line are left out, in units of the outlines. */
const TOLERANCE = 1;
/** Islands that are smaller than this in both directions are left out. */
const LEAST_SIZE = 4;

type Point = readonly [x: number, y: number];

/** Coasts and borders of countries as the path of an SVG, from the gazetteer's own boundaries. */
export async function generateWorldMap(root: string): Promise<Generated> {
  const columns = decodeColumns(new Uint8Array(zstdDecompressSync(readFileSync(join(root, DATA)))).buffer);
  const { x, y, starts, left, right } = decodeArcs(columns, 'divisions.');
  const countryOf = columnOf(columns, 'countryOf', Uint16Array);
  const country = (area: number) => (area === NO_AREA ? undefined : countryOf[area - 1]);
  const parts: string[] = [];
  for (const arc of left.keys()) {
    if (country(defined(left[arc])) === country(defined(right[arc]))) continue;
    const points: Point[] = [];
    for (let index = defined(starts[arc]); index < defined(starts[arc + 1]); index += 1) {
      points.push([defined(x[index]) / UNIT, -defined(y[index]) / UNIT]);
    }
    if (isSmallIsland(points)) continue;
    const line = toLine(simplify(points));
    if (line !== undefined) parts.push(line);
  }
  return { owned: PATH, files: new Map([[PATH, `${JSON.stringify({ path: parts.join('') })}\n`]]) };
}

function isSmallIsland(points: readonly Point[]): boolean {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined || first[0] !== last[0] || first[1] !== last[1]) return false;
  const sizeOf = (values: readonly number[]) =>
    values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  return sizeOf(points.map(([east]) => east)) < LEAST_SIZE && sizeOf(points.map(([, south]) => south)) < LEAST_SIZE;
}

/** Leaves out points by the algorithm of Ramer, Douglas and Peucker. */
function simplify(points: readonly Point[]): readonly Point[] {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined || points.length < 3) return points;
  let farthest = 0;
  let split = 0;
  for (const [index, point] of points.entries()) {
    const distance = distanceTo(point, first, last);
    if (distance > farthest) [farthest, split] = [distance, index];
  }
  if (farthest <= TOLERANCE) return [first, last];
  return [...simplify(points.slice(0, split + 1)), ...simplify(points.slice(split)).slice(1)];
}

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** `m` to the first point, then `l` with differences, in whole units. */
function toLine(points: readonly Point[]): string | undefined {
  let [x, y] = [0, 0];
  const steps: string[] = [];
  for (const [index, [east, south]] of points.entries()) {
    const [toX, toY] = [Math.round(east), Math.round(south)];
    if (index === 0) steps.push(`M${toX} ${toY}`);
    else if (toX !== x || toY !== y) steps.push(`${steps.length === 1 ? 'l' : ' '}${toX - x} ${toY - y}`);
    [x, y] = [toX, toY];
  }
  return steps.length < 2 ? undefined : steps.join('');
}
