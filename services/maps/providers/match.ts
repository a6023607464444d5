import type { Address } from '../../../workers/geocoding/address/address.ts';

/** How a result relates to what was asked. */
export type Match = Pick<Address, 'confidence' | 'matchCodes'>;

/** Where the provider says nothing of it. */
export const UNKNOWN_MATCH: Match = { confidence: null, matchCodes: [] };

/** As Azure Maps has it: the level above was matched, and that surely. */
export const UP_HIERARCHY: Match = { confidence: 'Medium', matchCodes: ['UpHierarchy'] };

/**
 * Whether a number that was asked for, of a house or a postcode, is nowhere in the result: then the result is the
 * street or town instead. Digits alone are compared, so that `12` is in `12a`, `34` in `34th` and `12` in `12-14`.
 */
export function lacksNumber(query: string, texts: readonly (string | null | undefined)[]): boolean {
  const held = new Set(texts.flatMap((text) => numbersOf(text ?? '')));
  return numbersOf(query).some((number) => !held.has(number));
}

/** NFKC turns full-width digits into ASCII, as they are typed in East Asia. */
const numbersOf = (text: string): readonly string[] => text.normalize('NFKC').match(/\p{Nd}+/gu) ?? [];

/**
 * A point was asked for: its address is the answer, and any larger place holds it. How far away the address lies is
 * not said, hence no confidence.
 */
export function reverseMatch(type: Address['type']): Match {
  if (type === null) return UNKNOWN_MATCH;
  return { confidence: null, matchCodes: [type === 'Address' ? 'Good' : 'UpHierarchy'] };
}
