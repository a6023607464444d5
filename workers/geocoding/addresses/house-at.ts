import { defined } from '../../exact/defined.ts';
import type { House } from './address-set.ts';
import type { HouseNumber } from './words.ts';

export interface PlacedHouse {
  readonly house: House;
  /** Whether its place is computed from its neighbors. */
  readonly isInterpolated: boolean;
}

/** Numbers farther apart say too little about the houses between them. */
const MAX_GAP = 40;

/**
 * The house with a number, or the place between the nearest lower and higher number on its side of the street (odd or
 * even). Undefined if it has no neighbors on both sides.
 */
export function houseAt(houses: readonly House[], { number, suffix }: HouseNumber): PlacedHouse | undefined {
  if (number === 0) return undefined;
  const same = houses.filter((house) => house.number === number);
  const exact = same.find((house) => house.suffix === suffix) ?? (suffix === '' ? same[0] : undefined);
  if (exact !== undefined) return { house: exact, isInterpolated: false };
  const [base] = same;
  if (base !== undefined) return { house: { ...base, suffix }, isInterpolated: true };
  // A point of the street without a number is no neighbor.
  const side = houses.filter((house) => house.number > 0 && (house.number - number) % 2 === 0);
  const lower = side.findLast((house) => house.number < number);
  const higher = side.find((house) => house.number > number);
  if (lower === undefined || higher === undefined || higher.number - lower.number > MAX_GAP) return undefined;
  const share = (number - lower.number) / (higher.number - lower.number);
  const between = (key: 'latitudeE6' | 'longitudeE6') =>
    Math.round(defined(lower)[key] + share * (defined(higher)[key] - defined(lower)[key]));
  const house = { number, suffix, latitudeE6: between('latitudeE6'), longitudeE6: between('longitudeE6') };
  return { house, isInterpolated: true };
}
