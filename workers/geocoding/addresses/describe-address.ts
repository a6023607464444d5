import type { Address, AddressType, Confidence, MatchCode } from '../address/address.ts';
import { distanceKm, type Point } from '../geometry/distance.ts';
import { type House, housesOf, type Street } from './address-set.ts';
import { type FoundAddress, isNamed } from './find-address.ts';
import type { NearAddress } from './nearest-address.ts';

/** Two addresses whose scores differ by less are equally good. */
const AMBIGUOUS_SCORE = 0.02;
const SAME_PLACE_KM = 1;
const WHOLE = 0.99;
/** A point this near to an address is surely that of the address. */
const SURE_KM = 0.03;

/**
 * Found addresses as answers, best first. `Good`: the house, or the street if no house was asked for. `UpHierarchy`: the house
 * is not in the data, so that the answer is its street, or a place between its neighbors (type `RoadBlock` in both cases).
 */
export function describeFound(found: readonly FoundAddress[]): readonly Address[] {
  return found.map((address) => {
    const rivals = found.filter(({ score }) => Math.abs(score - address.score) < AMBIGUOUS_SCORE);
    const isAmbiguous = rivals.some(
      (other) => other !== address && distanceKm(pointOf(other), pointOf(address)) > SAME_PLACE_KM,
    );
    const { street, house, isInterpolated, isHouseWanted } = address;
    const isFound = isHouseWanted ? street.kind !== 'town' && house !== undefined && !isInterpolated : true;
    const matchCode: MatchCode = isAmbiguous ? 'Ambiguous' : isFound ? 'Good' : 'UpHierarchy';
    return toAddress(street, house ?? onlyHouse(street), {
      type: typeOf(address),
      confidence: confidenceOf(address, matchCode),
      matchCodes: [matchCode],
    });
  });
}

/** The house of a named place, if there is one place of that name. */
function onlyHouse(street: Street): House | undefined {
  if (!isNamed(street)) return undefined;
  const houses = housesOf(street);
  return houses.length === 1 ? houses[0] : undefined;
}

/**
 * Puts the names of named places before their addresses, because an address has no field for them.
 * @param found in the order of the addresses
 */
export function withNames<Named extends Address>(
  found: readonly FoundAddress[],
  addresses: readonly Named[],
): readonly Named[] {
  return addresses.map((address, index) => {
    const street = found[index]?.street;
    if (street === undefined || !isNamed(street)) return address;
    const { formattedAddress } = address;
    return {
      ...address,
      formattedAddress: formattedAddress === null ? street.name : `${street.name}, ${formattedAddress}`,
    };
  });
}

/** Null for a point of interest, because the types are those of addresses. */
function typeOf({ street, house, isInterpolated, isPostcode }: FoundAddress): AddressType | null {
  if (street.kind === 'poi') return null;
  if (street.kind === 'neighborhood') return 'Neighborhood';
  if (street.kind === 'town') return isPostcode ? 'Postcode1' : 'PopulatedPlace';
  return house !== undefined && !isInterpolated ? 'Address' : 'RoadBlock';
}

function confidenceOf({ explained, isInexact, isOtherKind, isNamed }: FoundAddress, matchCode: MatchCode): Confidence {
  // Without its town, a word for a street or a number, it may be any name.
  if (matchCode === 'Ambiguous' || isOtherKind || !isNamed) return 'Low';
  return matchCode === 'Good' && !isInexact && explained >= WHOLE ? 'High' : 'Medium';
}

export function describeNear({ street, house, distanceKm }: NearAddress): Address {
  return toAddress(street, house, {
    type: house === undefined || house.number === 0 ? 'RoadBlock' : 'Address',
    confidence: distanceKm <= SURE_KM ? 'High' : 'Medium',
    matchCodes: ['Good'],
  });
}

function pointOf({ street, house }: Pick<FoundAddress, 'street' | 'house'>): Point {
  const { latitudeE6, longitudeE6 } = house ?? street;
  return { latitude: latitudeE6 / 1e6, longitude: longitudeE6 / 1e6 };
}

function toAddress(
  street: Street,
  house: House | undefined,
  match: Pick<Address, 'type' | 'confidence' | 'matchCodes'>,
): Address {
  const number = house === undefined || house.number === 0 ? null : `${house.number}${spaced(house.suffix)}`;
  return {
    ...pointOf({ street, house }),
    formattedAddress: null,
    addressLine: null,
    streetNumber: number,
    streetName: (isNamed(street) ? street.road : street.name) || null,
    locality: street.town || null,
    postalCode: street.postcode || null,
    adminDistrict: street.region || null,
    adminDistrictCode: null,
    adminDistrict2: street.district || null,
    country: null,
    countryCode: null,
    ...match,
  };
}

/** 12 bis, but 12b and 12-14. */
function spaced(suffix: string): string {
  return suffix.length > 1 && /^[a-z]/.test(suffix) ? ` ${suffix}` : suffix;
}
