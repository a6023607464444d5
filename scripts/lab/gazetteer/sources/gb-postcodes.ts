import { defined } from '../../../../workers/exact/defined.ts';
import { readTable } from './tables.ts';

/** A postcode district of the United Kingdom, the Channel Islands or the Isle of Man: the part before the space. */
export interface GbDistrict {
  /** EH1, or SW1A. */
  readonly code: string;
  /** Its post town, as addresses have it. */
  readonly town: string;
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Reads gb-postcodes.tsv: districts, post town, the place whose coordinates stand for them, latitude and longitude.
 * Districts without addresses of their own, such as those of post-office boxes, are left out. Sorted by code.
 */
export function readGbDistricts(): readonly GbDistrict[] {
  const districts = readTable('gb-postcodes.tsv', 5).flatMap((fields) => {
    const field = (index: number) => defined(fields[index]);
    const place = { town: field(1), latitude: Number(field(3)), longitude: Number(field(4)) };
    return codesIn(field(0)).map((code) => ({ code, ...place }));
  });
  return districts.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/**
 * The codes of an area and its districts: AB10-12,21 is AB10, AB11, AB12 and AB21.
 * @throws {Error} if the text has another form
 */
export function codesIn(text: string): readonly string[] {
  const [, area, districts] = /^([A-Z]{1,2})(\d[\dA-Z,-]*)$/.exec(text) ?? [];
  const codes = districts?.split(',').flatMap(numbersIn) ?? [];
  if (area === undefined || codes.includes('')) throw new Error(`${text} does not name postcode districts`);
  return codes.map((code) => `${area}${code}`);
}

/** The numbers of a range, or the one number. An empty text for anything else. */
function numbersIn(text: string): readonly string[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return [/^\d+[A-Z]?$/.test(text) ? text : ''];
  const count = Number(last) - Number(first) + 1;
  return count > 1 ? Array.from({ length: count }, (_, index) => String(Number(first) + index)) : [''];
}
