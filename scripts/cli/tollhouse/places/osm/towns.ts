import { distanceKm, type Point } from '../../../../../workers/geocoding/geometry/distance.ts';
import type { Town } from './tags.ts';

/** How far a town extends, if its population is not known. */
const RADIUS_KM: Readonly<Record<string, number>> = { city: 8, town: 3, village: 1.5, hamlet: 0.7 };
/** The radius of a town grows with the root of its population: a million people live within 12 km. */
const KM_OF_ROOT = 0.012;
const MAX_RADIUS_KM = 15;
/** A point farther than this many radii is not in a town. */
const REACH = 4;
const KM_OF_DEGREE = 111;
/** Sides of the cells of the grids, in degrees. The reach of a town is at most one cell. */
const SIDES = [0.05, 0.15, 0.6, 2.4];
/** Longitudes are closer together in the north: a cell of the widest grid is wide enough up to 77 degrees. */
const LEAST_COSINE = 0.22;

interface PlacedTown extends Point {
  readonly name: string;
  readonly radiusKm: number;
}

/**
 * Towns by their places. A point is in the town that is nearest in relation to its size, because the middle of a village
 * is often nearer to a suburb than the middle of its city.
 */
export class Towns {
  readonly #grids = SIDES.map((side) => ({ side, cells: new Map<number, PlacedTown[]>() }));

  add({ name, kind, population }: Town, { latitude, longitude }: Point): void {
    const known = population === undefined ? undefined : Math.sqrt(population) * KM_OF_ROOT;
    const radiusKm = Math.min(Math.max(known ?? 0, RADIUS_KM[kind] ?? 1), MAX_RADIUS_KM);
    const reach = (radiusKm * REACH) / KM_OF_DEGREE / Math.max(cosineOf(latitude), LEAST_COSINE);
    const grid = this.#grids.find(({ side }) => side >= reach) ?? this.#grids.at(-1);
    if (grid === undefined) return;
    const cell = cellAt(grid.side, latitude, longitude, 0, 0);
    const town = { name, latitude, longitude, radiusKm };
    const towns = grid.cells.get(cell);
    if (towns === undefined) grid.cells.set(cell, [town]);
    else towns.push(town);
  }

  /** The name of the town around a point. Empty if no town is near. */
  at(point: Point): string {
    let name = '';
    let nearest = REACH;
    for (const { side, cells } of this.#grids) {
      if (cells.size === 0) continue;
      for (const north of STEPS) {
        for (const east of STEPS) {
          for (const town of cells.get(cellAt(side, point.latitude, point.longitude, north, east)) ?? []) {
            const radii = distanceKm(point, town) / town.radiusKm;
            if (radii >= nearest) continue;
            nearest = radii;
            name = town.name;
          }
        }
      }
    }
    return name;
  }
}

const STEPS = [-1, 0, 1];

function cosineOf(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180);
}

function cellAt(side: number, latitude: number, longitude: number, north: number, east: number): number {
  const columns = Math.round(360 / side);
  const row = Math.floor((latitude + 90) / side) + north;
  const column = (Math.floor((longitude + 180) / side) + east + columns) % columns;
  return row * columns + column;
}
