import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { isoCodesOf } from './boundaries/iso-codes.ts';
import type { Areas } from './sources/areas.ts';
import { type CldrNames, readCldr } from './sources/cldr.ts';
import { simplified } from './sources/han.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import type { Translation } from './translations.ts';

/** Languages of the catalogs by those of the repository. */
const LANGUAGES: Readonly<Record<string, string>> = { no: 'nb', zh_Hant: 'zh-TW' };

/** The names of divisions and of the cities of time zones, by language as the catalogs have it. */
export function readCldrRows(
  areas: Areas,
  places: readonly GeoNamesPlace[],
): ReadonlyMap<string, readonly Translation[]> {
  const codes = isoCodesOf(areas);
  const cities = zoneCities(areas, places);
  return new Map(
    readCldr().map((names) => [LANGUAGES[names.language] ?? names.language, rowsOf(names, areas, { codes, cities })]),
  );
}

interface Keys {
  readonly codes: ReadonlyMap<number, string>;
  readonly cities: ReadonlyMap<string, number>;
}

function rowsOf({ language, divisions, zoneCities: named }: CldrNames, areas: Areas, { codes, cities }: Keys) {
  const rows: Translation[] = [];
  for (const [entity, code] of codes) {
    const name = divisions.get(`${areas.list[entity]?.key.slice(0, 2)}-${code}`);
    if (name !== undefined) rows.push({ entity, name });
  }
  for (const [zone, name] of named) {
    const entity = cities.get(currentZone(zone));
    if (entity !== undefined) rows.push({ entity, name });
  }
  // Many Chinese names of divisions are in traditional characters.
  return language === 'zh' ? rows.map(({ entity, name }) => ({ entity, name: simplified(name) })) : rows;
}

/** The most populous place in each time zone that has its name. */
function zoneCities(areas: Areas, places: readonly GeoNamesPlace[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [row, { name, formerName = name, alternates, timeZone }] of places.entries()) {
    const zone = currentZone(timeZone);
    const city = keyOf(timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' '));
    const isNamed = [name, formerName, ...alternates].some((other) => keyOf(other) === city);
    if (isNamed && !found.has(zone)) found.set(zone, areas.list.length + row);
  }
  return found;
}

/** One name for all aliases of a zone: Asia/Rangoon is Asia/Yangon. */
function currentZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
