import { distanceKm, type Point } from '../geometry/distance.ts';
import { type AddressSet, cellsAround, type House, housesOf, type Street, type StreetPoint } from './address-set.ts';

export interface NearAddress {
  readonly street: Street;
  readonly house: House | undefined;
  readonly distanceKm: number;
}

/** A point farther from every address is not at an address. */
const REACH_KM = 0.15;

/** The address nearest to a point, at most 150 m away. */
export function nearestAddress(set: AddressSet, { latitude, longitude }: Point): NearAddress | undefined {
  let nearest: StreetPoint | undefined;
  let nearestKm = REACH_KM;
  for (const cell of cellsAround(Math.round(latitude * 1e6), Math.round(longitude * 1e6))) {
    for (const point of set.points(cell)) {
      const km = distanceKm(
        { latitude, longitude },
        { latitude: point.latitudeE6 / 1e6, longitude: point.longitudeE6 / 1e6 },
      );
      if (km >= nearestKm) continue;
      nearest = point;
      nearestKm = km;
    }
  }
  const street = nearest && set.street(nearest.street);
  if (nearest === undefined || street === undefined) return undefined;
  return { street, house: housesOf(street)[nearest.house], distanceKm: nearestKm };
}
