import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { spellingsOfDivision } from './division-names.ts';
import type { Areas } from './sources/areas.ts';
import { currentKey } from './sources/geonames.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import type { Catalog } from './sources/sources.ts';
import { spelledAlike } from './spelled-alike.ts';

/** Divisions that are the catalog's own, although the catalog only has their names in another language or form. */
const SAME: ReadonlySet<string> = new Set(
  (
    'LB.09 LY.78 OM.04 OM.12 BA.01 CZ.82 CZ.89 AF.27 AZ.38 CD.04 KP.03 KP.06 KP.07 KP.17 KZ.10 LV.03 LV.05 LV.18 LV.29 ' +
    'MO.11875159 MV.39 NP.1 NP.2 PF.03 PF.04 PF.05 RU.93 SI.G4 SI.G5'
  ).split(' '),
);

/**
 * Finds the divisions that the keys of the catalogs mean. The catalogs are older than the divisions, and some countries
 * have given codes to other divisions since then. So the names must agree, or the division must have a place of that name;
 * otherwise the names are those of the division that has the name now, or of none.
 */
export function joinDivisions(
  areas: Areas,
  places: readonly GeoNamesPlace[],
  catalogs: readonly Catalog[],
): ReadonlyMap<string, number> {
  const groups = groupNames(catalogs);
  const placeKeys = placeKeysOf(areas, places);
  const ownKeys = areas.list.map(({ name }) => divisionKeys(name));
  const joined = new Map<string, number>();
  const others: (readonly [key: string, names: Names])[] = [];
  for (const [key, names] of groups) {
    const area = areas.indexOf(currentKey(key));
    const own = area === undefined ? [] : (ownKeys[area] ?? []);
    if (area === undefined) others.push([key, names]);
    else if (SAME.has(key) || agree(names, own, placeKeys.get(area))) joined.set(key, area);
    else others.push([key, names]);
  }
  const taken = new Set(joined.values());
  for (const [key, { english, all }] of others) {
    const country = key.slice(0, 3);
    const found = areas.list.flatMap(({ key: other, level }, index) => {
      const isNamed =
        level === 1 &&
        other.startsWith(country) &&
        divisionKeys(english).some((name) => ownKeys[index]?.includes(name));
      return isNamed && !taken.has(index) ? [index] : [];
    });
    const [area] = found;
    if (area === undefined || found.length > 1) {
      console.log(`${key}: ${all.length} names, such as ${english}, are left out`);
      continue;
    }
    taken.add(area);
    joined.set(key, area);
  }
  return joined;
}

interface Names {
  readonly english: string;
  readonly all: readonly string[];
}

function groupNames(catalogs: readonly Catalog[]): ReadonlyMap<string, Names> {
  const groups = new Map<string, Names>();
  for (const { language, names } of catalogs) {
    for (const [key, name] of names) {
      if (!/^[A-Z]{2}\./.test(key)) continue;
      const { english = '', all = [] } = groups.get(key) ?? {};
      groups.set(key, { english: language === 'en' ? name : english, all: [...all, name] });
    }
  }
  return groups;
}

function agree({ all }: Names, own: readonly string[], places: ReadonlySet<string> | undefined): boolean {
  const keys = all.flatMap(divisionKeys);
  return keys.some((key) => own.some((name) => spelledAlike(name, key)) || places?.has(key));
}

function divisionKeys(name: string): readonly string[] {
  return spellingsOfDivision(name)
    .map(keyOf)
    .filter((key) => key !== '');
}

/** The keys of the names of all places in each division. */
function placeKeysOf(areas: Areas, places: readonly GeoNamesPlace[]): ReadonlyMap<number, ReadonlySet<string>> {
  const keys = new Map<number, Set<string>>();
  for (const place of places) {
    const area = areas.of(place);
    const parent = areas.list[area]?.parent ?? area;
    for (const holder of [area, parent]) {
      const own = keys.get(holder) ?? new Set();
      for (const name of [place.name, ...place.alternates]) own.add(keyOf(name));
      keys.set(holder, own);
    }
  }
  return keys;
}
