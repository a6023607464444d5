import type { ZonedAddress } from '../../../../workers/geocoding/address/address.ts';

/** Folds a name for comparison: lower case, without diacritics and punctuation. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđðıßæœþ]/gu, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Letters that Unicode normalization does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const EARTH_RADIUS_KM = 6371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in kilometers (haversine). Points are latitude and longitude in degrees. */
export function distanceKm([latitude, longitude]: readonly [number, number], to: readonly [number, number]): number {
  const chord =
    Math.sin(radians(to[0] - latitude) / 2) ** 2 +
    Math.cos(radians(latitude)) * Math.cos(radians(to[0])) * Math.sin(radians(to[1] - longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}

/** Describes a result in one line, for the list of failed cases. */
export function describe(address: ZonedAddress | undefined): string {
  if (address === undefined) return 'nothing';
  const { formattedAddress, locality, adminDistrictCode, countryCode, type, latitude, longitude } = address;
  const names = [formattedAddress, locality, adminDistrictCode, countryCode].map((text) => text ?? '–').join(' | ');
  const codes = address.matchCodes.join(', ');
  return `${names} | ${type ?? '–'} | ${codes} | ${latitude?.toFixed(2)}, ${longitude?.toFixed(2)} | ${address.timeZone} ${address.utcOffset}`;
}
