import { type GeoNamesPlace, readDivisions } from './geonames.ts';

/** A country (level 0) or a division of the first or second level. */
export interface Area {
  /** Country and codes of GeoNames, joined by dots: DE, DE.02, US.WA.033. */
  readonly key: string;
  readonly level: 0 | 1 | 2;
  /** Index of the area that holds it; its own for a country. */
  readonly parent: number;
  /** Empty for a country: its name depends on the language alone. */
  readonly name: string;
}

export interface Areas {
  readonly list: readonly Area[];
  /** The smallest area that is known to hold the place. */
  of(place: Pick<GeoNamesPlace, 'countryCode' | 'admin1' | 'admin2'>): number;
  indexOf(key: string): number | undefined;
}

/** Countries and territories with an ISO 3166-1 code that have no populated place in the data. */
const EMPTY_COUNTRIES = ['AQ', 'BV', 'HM', 'IO', 'TF', 'UM', 'GS', 'PN'];

/** Countries by code, then divisions of the first level, then of the second: an area stands behind the one that holds it. */
export function collectAreas(places: readonly GeoNamesPlace[]): Areas {
  const first = readDivisions(1);
  const countries = new Set([...EMPTY_COUNTRIES, ...places.map(({ countryCode }) => countryCode)]);
  for (const { code } of first) countries.add(code.slice(0, 2));
  const list: Area[] = [];
  const index = new Map<string, number>();
  const add = (area: Omit<Area, 'parent'>) => {
    const holder = area.key.slice(0, Math.max(area.key.lastIndexOf('.'), 0));
    const parent = area.level === 0 ? list.length : index.get(holder);
    // A division of one that is not known has nowhere to stand.
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
      if (found === undefined) throw new Error(`no country ${countryCode}`);
      return found;
    },
  };
}
