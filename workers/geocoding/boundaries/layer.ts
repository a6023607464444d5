import { defined } from '../../exact/defined.ts';
import { type Arcs, NO_AREA, UNITS_PER_DEGREE } from './arcs.ts';
import { buildCells, type Cells, COLUMNS, columnAt, referenceX, referenceY, rowAt, SOUTH, WEST } from './cells.ts';

export interface NearArea {
  readonly area: number;
  readonly distanceKm: number;
}

/** Areas that do not overlap, by the borders between them. */
export interface Layer {
  /** The area that contains the point. Undefined if there is none. */
  areaAt(latitude: number, longitude: number): number | undefined;
  /** Areas with a border within the distance, nearest first. The area that contains the point may be one of them. */
  areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[];
}

const UNITS_AROUND = 360 * UNITS_PER_DEGREE;
const KM_PER_UNIT = 111.195 / UNITS_PER_DEGREE;

export function openLayer(arcs: Arcs): Layer {
  const layer = new BorderLayer(arcs);
  return {
    areaAt: (latitude, longitude) => layer.areaAt(latitude, longitude),
    areasNear: (latitude, longitude, withinKm) => layer.areasNear(latitude, longitude, withinKm),
  };
}

/** A search for areas around a point, in units. Longitudes are multiplied by `shrink` to measure distances. */
interface Surroundings {
  readonly px: number;
  readonly py: number;
  readonly shrink: number;
  readonly reach: number;
  /** Area plus one → square of the distance to its border. */
  readonly found: Map<number, number>;
}

class BorderLayer {
  readonly #arcs: Arcs;
  readonly #cells: Cells;
  /** For each point, its arc. */
  readonly #arcOf: Uint32Array;

  constructor(arcs: Arcs) {
    this.#arcs = arcs;
    this.#cells = buildCells(arcs);
    this.#arcOf = arcsOfPoints(arcs.starts);
  }

  areaAt(latitude: number, longitude: number): number | undefined {
    const label = this.#labelAt(unitsEast(longitude), unitsNorth(latitude));
    return label === NO_AREA ? undefined : label - 1;
  }

  /**
   * The area (plus one) at a point. A straight line leads from the cell's reference point to the point. The last border that
   * it crosses tells the area behind it. The test uses the sides of border points and not the place of the crossing, so a
   * crossing where two edges meet is neither missed nor counted twice.
   */
  #labelAt(px: number, py: number): number {
    const { x, y, left, right } = this.#arcs;
    const { areas, starts, edges } = this.#cells;
    const column = columnAt(px);
    const row = rowAt(py);
    const cell = row * COLUMNS + column;
    const rx = referenceX(column);
    const ry = referenceY(row);
    let label = defined(areas[cell]);
    let farthest = -1;
    const end = defined(starts[cell + 1]);
    for (let at = defined(starts[cell]); at < end; at++) {
      const edge = defined(edges[at]);
      const ax = defined(x[edge]);
      const ay = defined(y[edge]);
      const bx = defined(x[edge + 1]);
      const by = defined(y[edge + 1]);
      const a = (px - rx) * (ay - ry) - (py - ry) * (ax - rx);
      const b = (px - rx) * (by - ry) - (py - ry) * (bx - rx);
      if (a >= 0 === b >= 0) continue;
      const reference = (bx - ax) * (ry - ay) - (by - ay) * (rx - ax);
      const point = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      if (reference > 0 === point > 0) continue;
      const along = reference / (reference - point);
      if (along <= farthest) continue;
      farthest = along;
      label = defined((point > 0 ? left : right)[defined(this.#arcOf[edge])]);
    }
    return label;
  }

  areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[] {
    const around: Surroundings = {
      px: unitsEast(longitude),
      py: unitsNorth(latitude),
      shrink: Math.max(Math.cos((latitude * Math.PI) / 180), 0.01),
      reach: withinKm / KM_PER_UNIT,
      found: new Map(),
    };
    const lastRow = rowAt(around.py + around.reach);
    for (let row = rowAt(around.py - around.reach); row <= lastRow; row++) {
      // Across the date line, the world continues at its other end.
      for (const shift of [0, UNITS_AROUND, -UNITS_AROUND]) this.#searchRow(row, shift, around);
    }
    return Array.from(around.found, ([label, squared]) => ({
      area: label - 1,
      distanceKm: Math.sqrt(squared) * KM_PER_UNIT,
    })).sort((a, b) => a.distanceKm - b.distanceKm);
  }

  #searchRow(row: number, shift: number, around: Surroundings): void {
    const { starts, edges } = this.#cells;
    const west = around.px + shift - around.reach / around.shrink;
    const east = around.px + shift + around.reach / around.shrink;
    if (east < WEST || west > -WEST) return;
    const last = defined(starts[row * COLUMNS + columnAt(east) + 1]);
    for (let at = defined(starts[row * COLUMNS + columnAt(west)]); at < last; at++) {
      this.#measure(defined(edges[at]), shift, around);
    }
  }

  /** Notes the areas on both sides of an edge if it is within reach. */
  #measure(edge: number, shift: number, { px, py, shrink, reach, found }: Surroundings): void {
    const squared = this.#squaredDistance(px + shift, py, edge, shrink);
    if (squared > reach * reach) return;
    const arc = defined(this.#arcOf[edge]);
    for (const label of [defined(this.#arcs.left[arc]), defined(this.#arcs.right[arc])]) {
      if (label === NO_AREA) continue;
      const known = found.get(label);
      if (known === undefined || squared < known) found.set(label, squared);
    }
  }

  /** In a plane around the point. The error is 0.1 % within 100 km, but larger near the poles. */
  #squaredDistance(px: number, py: number, edge: number, shrink: number): number {
    const { x, y } = this.#arcs;
    const ax = (defined(x[edge]) - px) * shrink;
    const ay = defined(y[edge]) - py;
    const dx = (defined(x[edge + 1]) - px) * shrink - ax;
    const dy = defined(y[edge + 1]) - py - ay;
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(Math.max(-(ax * dx + ay * dy) / length, 0), 1);
    return (ax + along * dx) ** 2 + (ay + along * dy) ** 2;
  }
}

/** Distance that a point is moved inward from the edge of the map, which is a border of the areas there. */
const MARGIN = 0.25;

function unitsEast(longitude: number): number {
  const turned =
    longitude >= 180 || longitude < -180 ? longitude - 360 * Math.floor((longitude + 180) / 360) : longitude;
  return Math.min(Math.max(turned * UNITS_PER_DEGREE, WEST + MARGIN), -WEST - MARGIN);
}

function unitsNorth(latitude: number): number {
  return Math.min(Math.max(latitude * UNITS_PER_DEGREE, SOUTH + MARGIN), -SOUTH - MARGIN);
}

function arcsOfPoints(starts: Uint32Array): Uint32Array {
  const arcOf = new Uint32Array(defined(starts.at(-1)));
  for (let arc = 0; arc + 1 < starts.length; arc++) arcOf.fill(arc, starts[arc], starts[arc + 1]);
  return arcOf;
}
