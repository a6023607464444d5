import { distanceKm, type Point } from '../geometry/distance.ts';
import { type AddressSet, cellsAround, type House, housesOf, type Street, type StreetPoint } from './address-set.ts';

export interface NearAddress {
  readonly street: Street;
  readonly house: House | undefined;
  readonly distanceKm: number;
}

/** A point farther from every address is not at an address. */
const REACH_KM = 0.15;
/** A point of a street without a number is the answer only if it is so much nearer than any house. */
const UNNUMBERED_KM = 0.05;

/** The address nearest to a point, at most 150 m away. */
export function nearestAddress(set: AddressSet, { latitude, longitude }: Point): NearAddress | undefined {
  const kmTo = ({ latitudeE6, longitudeE6 }: StreetPoint) =>
    distanceKm({ latitude, longitude }, { latitude: latitudeE6 / 1e6, longitude: longitudeE6 / 1e6 });
  const cells = cellsAround(Math.round(latitude * 1e6), Math.round(longitude * 1e6)).map((cell) => set.points(cell));
  let nearest: StreetPoint | undefined;
  let nearestKm = REACH_KM;
  for (const points of cells) {
    for (const point of points) {
      const km = kmTo(point);
      if (km >= nearestKm) continue;
      nearest = point;
      nearestKm = km;
    }
  }
  const near = nearest && readNear(set, nearest, nearestKm);
  if (near?.house?.number !== 0) return near;
  // A house that is hardly farther says more than a point of a street without a number.
  const limitKm = Math.min(nearestKm + UNNUMBERED_KM, REACH_KM);
  const others = cells
    .flat()
    .map((point) => ({ point, km: kmTo(point) }))
    .filter(({ km }) => km < limitKm)
    .toSorted((a, b) => a.km - b.km);
  for (const { point, km } of others) {
    const other = readNear(set, point, km);
    if (other?.house?.number !== 0) return other;
  }
  return near;
}

function readNear(set: AddressSet, point: StreetPoint, distanceKm: number): NearAddress | undefined {
  const street = set.street(point.street);
  return street && { street, house: housesOf(street)[point.house], distanceKm };
}
