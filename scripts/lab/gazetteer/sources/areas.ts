import { readDivisions } from './geonames.ts';
import type { GeoNamesPlace } from './place.ts';

/** A country (level 0) or a division of the first or second level. */
export interface Area {
  /** Country code and GeoNames division codes, joined by dots: DE, DE.02, US.WA.033. */
  readonly key: string;
  readonly level: 0 | 1 | 2;
  /** Index of the area that contains this area. The parent of a country is the country itself. */
  readonly parent: number;
  /** Empty for a country, because its name depends only on the language. */
  readonly name: string;
}

export interface Areas {
  readonly list: readonly Area[];
  /** Index of the smallest known area that contains the place. @throws {Error} if its country is unknown */
  of(place: Pick<GeoNamesPlace, 'countryCode' | 'admin1' | 'admin2'>): number;
  indexOf(key: string): number | undefined;
}

/** Countries and territories that have an ISO 3166-1 code, but no populated place in the data. */
const EMPTY_COUNTRIES = ['AQ', 'BV', 'HM', 'IO', 'TF', 'UM', 'GS', 'PN'];

/**
 * Lists countries by code, then first-level divisions, then second-level divisions. An area comes after the area that
 * contains it.
 */
export function collectAreas(places: readonly GeoNamesPlace[]): Areas {
  const first = readDivisions(1);
  const countries = new Set([...EMPTY_COUNTRIES, ...places.map(({ countryCode }) => countryCode)]);
  for (const { code } of first) countries.add(code.slice(0, 2));
  const list: Area[] = [];
  const index = new Map<string, number>();
  const add = (area: Omit<Area, 'parent'>) => {
    const holder = area.key.slice(0, Math.max(area.key.lastIndexOf('.'), 0));
    const parent = area.level === 0 ? list.length : index.get(holder);
    // A division without a known parent is left out.
    if (parent === undefined) return;
    index.set(area.key, list.length);
    list.push({ ...area, parent });
  };
  for (const key of [...countries].sort()) add({ key, level: 0, name: '' });
  for (const { code, name } of first) add({ key: code, level: 1, name });
  for (const { code, name } of readDivisions(2)) add({ key: code, level: 2, name });
  return {
    list,
    indexOf: (key) => index.get(key),
    of: ({ countryCode, admin1, admin2 }) => {
      const keys = [`${countryCode}.${admin1}.${admin2}`, `${countryCode}.${admin1}`, countryCode];
      const found = keys.map((key) => index.get(key)).find((area) => area !== undefined);
      if (found === undefined) throw new Error(`unknown country ${countryCode}`);
      return found;
    },
  };
}
