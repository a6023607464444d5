import { distanceKm, type Point } from '../../../../workers/geocoding/geometry/distance.ts';
import type { GeoNamesPlace } from './place.ts';

/** Finds places by their points. */
export interface PlaceIndex {
  /** The places of a country within a distance. */
  near(point: Point, withinKm: number, countryCode: string): readonly GeoNamesPlace[];
  /** The nearest place of a country. Undefined if none is within the distance. */
  nearest(point: Point, withinKm: number, countryCode: string): GeoNamesPlace | undefined;
}

const KM_PER_DEGREE = 111;

/** Places in cells of one degree. */
export function createPlaceIndex(places: readonly GeoNamesPlace[]): PlaceIndex {
  const cells = Map.groupBy(places, ({ latitude, longitude }) => cellOf(Math.floor(latitude), Math.floor(longitude)));
  const near = (point: Point, withinKm: number, countryCode: string) => {
    const rows = withinKm / KM_PER_DEGREE;
    const columns = Math.min(180, rows / Math.max(Math.cos((point.latitude * Math.PI) / 180), 0.01));
    const found: GeoNamesPlace[] = [];
    for (let row = Math.floor(point.latitude - rows); row <= point.latitude + rows; row++) {
      for (let column = Math.floor(point.longitude - columns); column <= point.longitude + columns; column++) {
        const wrapped = ((((column + 180) % 360) + 360) % 360) - 180;
        for (const place of cells.get(cellOf(row, wrapped)) ?? []) {
          if (place.countryCode === countryCode && distanceKm(place, point) <= withinKm) found.push(place);
        }
      }
    }
    return found;
  };
  return {
    near,
    nearest(point, withinKm, countryCode) {
      // Most places have a neighbor, so a small circle is searched first.
      for (const km of [20, withinKm]) {
        const [first] = near(point, km, countryCode).toSorted((a, b) => distanceKm(a, point) - distanceKm(b, point));
        if (first !== undefined) return first;
      }
      return undefined;
    },
  };
}

function cellOf(row: number, column: number): number {
  return row * 1000 + column;
}
