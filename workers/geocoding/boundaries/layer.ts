import { type Arcs, NO_AREA, UNITS_PER_DEGREE } from './arcs.ts';
import { buildCells, COLUMNS, columnAt, referenceX, referenceY, rowAt, SOUTH, WEST } from './cells.ts';

export interface NearArea {
  readonly area: number;
  readonly distanceKm: number;
}

/** Areas that do not overlap, by the borders between them. */
export interface Layer {
  /** The area that holds the point. */
  areaAt(latitude: number, longitude: number): number | undefined;
  /** Areas whose border passes within the distance, the one that holds the point included; nearest first. */
  areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[];
}

const UNITS_AROUND = 360 * UNITS_PER_DEGREE;
const KM_PER_UNIT = 111.195 / UNITS_PER_DEGREE;

export function openLayer(arcs: Arcs): Layer {
  const { x, y, left, right } = arcs;
  const cells = buildCells(arcs);
  const arcOf = arcsOfPoints(arcs.starts);

  /**
   * A straight line leads from the point of reference to the one that is asked for; the last border that it crosses
   * says what lies behind. Which side a point of a border is on counts, not where it is crossed, so that none is
   * missed or counted twice where two edges meet.
   */
  function labelAt(px: number, py: number): number {
    const column = columnAt(px);
    const row = rowAt(py);
    const cell = row * COLUMNS + column;
    const rx = referenceX(column);
    const ry = referenceY(row);
    let label = cells.areas[cell] ?? NO_AREA;
    let farthest = -1;
    const end = cells.starts[cell + 1] ?? 0;
    for (let at = cells.starts[cell] ?? 0; at < end; at++) {
      const edge = cells.edges[at] ?? 0;
      const ax = x[edge] ?? 0;
      const ay = y[edge] ?? 0;
      const bx = x[edge + 1] ?? 0;
      const by = y[edge + 1] ?? 0;
      const a = (px - rx) * (ay - ry) - (py - ry) * (ax - rx);
      const b = (px - rx) * (by - ry) - (py - ry) * (bx - rx);
      if (a >= 0 === b >= 0) continue;
      const reference = (bx - ax) * (ry - ay) - (by - ay) * (rx - ax);
      const point = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      if (reference > 0 === point > 0) continue;
      const along = reference / (reference - point);
      if (along <= farthest) continue;
      farthest = along;
      label = (point > 0 ? left : right)[arcOf[edge] ?? 0] ?? NO_AREA;
    }
    return label;
  }

  function areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[] {
    const py = unitsNorth(latitude);
    const px = unitsEast(longitude);
    const shrink = Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
    const reach = withinKm / KM_PER_UNIT;
    const found = new Map<number, number>();
    const look = (edge: number, shift: number) => {
      const squared = squaredDistance(px + shift, py, edge, shrink);
      if (squared > reach * reach) return;
      const arc = arcOf[edge] ?? 0;
      for (const label of [left[arc] ?? NO_AREA, right[arc] ?? NO_AREA]) {
        if (label !== NO_AREA && squared < (found.get(label) ?? Number.POSITIVE_INFINITY)) found.set(label, squared);
      }
    };
    const lastRow = rowAt(py + reach);
    for (let row = rowAt(py - reach); row <= lastRow; row++) {
      // Past the date line the world goes on at its other end.
      for (const shift of [0, UNITS_AROUND, -UNITS_AROUND]) {
        const west = px + shift - reach / shrink;
        const east = px + shift + reach / shrink;
        if (east < WEST || west > -WEST) continue;
        const first = cells.starts[row * COLUMNS + columnAt(west)] ?? 0;
        const last = cells.starts[row * COLUMNS + columnAt(east) + 1] ?? 0;
        for (let at = first; at < last; at++) look(cells.edges[at] ?? 0, shift);
      }
    }
    return Array.from(found, ([label, squared]) => ({
      area: label - 1,
      distanceKm: Math.sqrt(squared) * KM_PER_UNIT,
    })).sort((a, b) => a.distanceKm - b.distanceKm);
  }

  /** In a plane around the point: good to 0.1 % within 100 km, but near the poles. */
  function squaredDistance(px: number, py: number, edge: number, shrink: number): number {
    const ax = ((x[edge] ?? 0) - px) * shrink;
    const ay = (y[edge] ?? 0) - py;
    const dx = ((x[edge + 1] ?? 0) - px) * shrink - ax;
    const dy = (y[edge + 1] ?? 0) - py - ay;
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(Math.max(-(ax * dx + ay * dy) / length, 0), 1);
    return (ax + along * dx) ** 2 + (ay + along * dy) ** 2;
  }

  return {
    areaAt: (latitude, longitude) => {
      const label = labelAt(unitsEast(longitude), unitsNorth(latitude));
      return label === NO_AREA ? undefined : label - 1;
    },
    areasNear,
  };
}

/** The edge of the map is a border of what touches it: what is asked for there lies just inside. */
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
  const arcOf = new Uint32Array(starts.at(-1) ?? 0);
  for (let arc = 0; arc + 1 < starts.length; arc++) arcOf.fill(arc, starts[arc], starts[arc + 1]);
  return arcOf;
}
