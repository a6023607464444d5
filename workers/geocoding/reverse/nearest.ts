import { defined } from '../../exact/defined.ts';

/** An index of places as points on a sphere of radius 1. The date line and the poles need no special case. */
export interface NearestPlaces {
  /** At most `count` places within `withinKm`, nearest first. Any distance by default. */
  find(latitude: number, longitude: number, count: number, withinKm?: number): readonly NearPlace[];
}

export interface NearPlace {
  readonly place: number;
  readonly distanceKm: number;
}

export interface PointTable {
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
}

const LEAF = 12;
const RADIUS_KM = 6371;
const RADIANS = Math.PI / 180;

/**
 * A k-d tree without pointers. The rows of a node are adjacent, and the middle one separates the others along an axis. The
 * axes alternate with the depth. Distances are chords in single precision, with an error of at most one meter.
 */
export function createNearest({ latitudeE5, longitudeE5 }: PointTable, rows: Uint32Array): NearestPlaces {
  const order = rows.slice();
  const points = new Float32Array(3 * rows.length);
  for (const [at, row] of order.entries()) {
    points.set(onSphere(defined(latitudeE5[row]) / 1e5, defined(longitudeE5[row]) / 1e5), 3 * at);
  }
  sortTree(points, order);
  return {
    find: (latitude, longitude, count, withinKm = Number.POSITIVE_INFINITY) => {
      const chord = withinKm > 2 * RADIUS_KM ? 2 : 2 * Math.sin(withinKm / RADIUS_KM / 2);
      const search = new Search(points, onSphere(latitude, longitude), { count, squared: chord * chord });
      search.visit(0, order.length - 1, 0);
      return search.found.map((at, rank) => ({
        place: defined(order[at]),
        distanceKm: 2 * RADIUS_KM * Math.asin(Math.min(Math.sqrt(defined(search.squares[rank])) / 2, 1)),
      }));
    },
  };
}

type Vector = readonly [number, number, number];

function onSphere(latitude: number, longitude: number): Vector {
  const around = Math.cos(latitude * RADIANS);
  return [around * Math.cos(longitude * RADIANS), around * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)];
}

class Search {
  /** Positions in the tree and squares of their distances, nearest first. */
  readonly found: number[] = [];
  readonly squares: number[] = [];
  readonly #points: Float32Array;
  readonly #center: Vector;
  readonly #count: number;
  #limit: number;

  constructor(points: Float32Array, center: Vector, { count, squared }: { count: number; squared: number }) {
    this.#points = points;
    this.#center = center;
    this.#count = count;
    this.#limit = squared;
  }

  visit(from: number, to: number, axis: 0 | 1 | 2): void {
    if (to - from < LEAF) {
      for (let at = from; at <= to; at++) this.#offer(at);
      return;
    }
    const middle = (from + to) >> 1;
    const offset = this.#center[axis] - defined(this.#points[3 * middle + axis]);
    const next = axis === 2 ? 0 : axis === 1 ? 2 : 1;
    if (offset < 0) this.visit(from, middle - 1, next);
    else this.visit(middle + 1, to, next);
    // No point of the other side is nearer than the plane between the sides.
    if (offset * offset > this.#limit) return;
    this.#offer(middle);
    if (offset < 0) this.visit(middle + 1, to, next);
    else this.visit(from, middle - 1, next);
  }

  #offer(at: number): void {
    const dx = defined(this.#points[3 * at]) - this.#center[0];
    const dy = defined(this.#points[3 * at + 1]) - this.#center[1];
    const dz = defined(this.#points[3 * at + 2]) - this.#center[2];
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared > this.#limit) return;
    let rank = this.found.length;
    if (rank < this.#count) {
      this.found.push(at);
      this.squares.push(squared);
    } else rank--;
    for (; rank > 0 && defined(this.squares[rank - 1]) > squared; rank--) {
      this.squares[rank] = defined(this.squares[rank - 1]);
      this.found[rank] = defined(this.found[rank - 1]);
    }
    this.squares[rank] = squared;
    this.found[rank] = at;
    if (this.found.length === this.#count) this.#limit = defined(this.squares[this.#count - 1]);
  }
}

function sortTree(points: Float32Array, order: Uint32Array): void {
  const swap = (a: number, b: number) => {
    const row = defined(order[a]);
    order[a] = defined(order[b]);
    order[b] = row;
    for (let axis = 0; axis < 3; axis++) {
      const value = defined(points[3 * a + axis]);
      points[3 * a + axis] = defined(points[3 * b + axis]);
      points[3 * b + axis] = value;
    }
  };
  const sort = (from: number, to: number, axis: number) => {
    if (to - from < LEAF) return;
    const middle = (from + to) >> 1;
    select({ points, swap, axis }, middle, from, to);
    sort(from, middle - 1, (axis + 1) % 3);
    sort(middle + 1, to, (axis + 1) % 3);
  };
  sort(0, order.length - 1, 0);
}

interface Selection {
  readonly points: Float32Array;
  readonly swap: (a: number, b: number) => void;
  readonly axis: number;
}

/** Hoare's selection. Afterwards, the value at `wanted` is in its sorted place: none before it is greater, none after it less. */
function select({ points, swap, axis }: Selection, wanted: number, first: number, last: number): void {
  let from = first;
  let to = last;
  while (from < to) {
    const pivot = defined(points[3 * ((from + to) >> 1) + axis]);
    let i = from;
    let j = to;
    while (i <= j) {
      while (defined(points[3 * i + axis]) < pivot) i++;
      while (defined(points[3 * j + axis]) > pivot) j--;
      if (i <= j) swap(i++, j--);
    }
    if (wanted <= j) to = j;
    else if (wanted >= i) from = i;
    else return;
  }
}
