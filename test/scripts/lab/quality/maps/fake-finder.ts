import type { PlaceFinder } from '../../../../../scripts/lab/quality/maps/finder.ts';
import type { ZonedAddress } from '../../../../../workers/geocoding/address/address.ts';

export const SPRINGFIELD: ZonedAddress = {
  latitude: 39.8,
  longitude: -89.65,
  formattedAddress: 'Springfield, IL, United States',
  addressLine: null,
  streetNumber: null,
  streetName: null,
  locality: 'Springfield',
  postalCode: null,
  adminDistrict: 'Illinois',
  adminDistrictCode: 'IL',
  adminDistrict2: null,
  country: 'United States',
  countryCode: 'US',
  type: 'PopulatedPlace',
  confidence: 'High',
  matchCodes: ['Good'],
  timeZone: 'America/Chicago',
  utcOffset: '-06:00',
};

const JUNE_MS = Date.UTC(2025, 5, 1);

/** Answers every query with `results`. From June on, the offset is that of daylight saving time. */
export function fakeFinder(...results: readonly ZonedAddress[]): PlaceFinder {
  const at = (atMs: number) =>
    atMs < JUNE_MS ? results : results.map((result) => ({ ...result, utcOffset: '-05:00' }));
  return { geocode: (_query, atMs) => at(atMs), reverse: (_query, atMs) => at(atMs) };
}
