import type { Address } from '../../../workers/geocoding/address/address.ts';

/** How well a result matches the query. */
export type Match = Pick<Address, 'confidence' | 'matchCodes'>;

/** For providers that do not report it. */
export const UNKNOWN_MATCH: Match = { confidence: null, matchCodes: [] };

/** Azure Maps uses this if it matched the level above, such as the street of a house. */
export const UP_HIERARCHY: Match = { confidence: 'Medium', matchCodes: ['UpHierarchy'] };

/**
 * Whether the result lacks a number of the query, of a house or a postcode. Then the result is the street or town instead.
 * Only digits are compared, so that `12` matches `12a` and `12-14`, and `34` matches `34th`.
 */
export function lacksNumber(query: string, texts: readonly (string | null | undefined)[]): boolean {
  const held = new Set(texts.flatMap((text) => (text === null || text === undefined ? [] : numbersOf(text))));
  return numbersOf(query).some((number) => !held.has(number));
}

/** NFKC turns full-width digits into ASCII, as they are typed in East Asia. */
const numbersOf = (text: string): readonly string[] =>
  [...text.normalize('NFKC').matchAll(/\p{Nd}+/gu)].map(([digits]) => digits);

/**
 * The match of reverse geocoding: an address is the answer to a point, and any larger place contains it. The distance of
 * the address is unknown, so there is no confidence.
 */
export function reverseMatch(type: Address['type']): Match {
  if (type === null) return UNKNOWN_MATCH;
  return { confidence: null, matchCodes: [type === 'Address' ? 'Good' : 'UpHierarchy'] };
}
