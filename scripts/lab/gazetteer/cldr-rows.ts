import { defined } from '../../../workers/exact/defined.ts';
import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { isoCodesOf } from './boundaries/iso-codes.ts';
import { spellingsOfDivision } from './division-names.ts';
import type { Areas } from './sources/areas.ts';
import { type CldrNames, readCldr } from './sources/cldr.ts';
import { simplified } from './sources/han.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import { spelledAlike } from './spelled-alike.ts';

export interface Translation {
  /** Index of an area, or the number of areas plus the index of a place. */
  readonly entity: number;
  readonly name: string;
}

/** Languages of the catalogs by those of the repository. */
const LANGUAGES: Readonly<Record<string, string>> = { no: 'nb', zh_Hant: 'zh-TW' };

/** The names of divisions and of the cities of time zones, by language as the catalogs have it. */
export function readCldrRows(
  areas: Areas,
  places: readonly GeoNamesPlace[],
): ReadonlyMap<string, readonly Translation[]> {
  const repository = readCldr();
  const english = repository.find(({ language }) => language === 'en')?.divisions;
  // The repository has newer codes of some countries, so the names must agree.
  const codes = [...isoCodesOf(areas)].flatMap(([entity, code]): readonly Division[] => {
    const { key, name } = defined(areas.list[entity]);
    const country = key.slice(0, 2);
    const known = spellingsOfDivision(english?.get(`${country}-${code}`) ?? '').map(keyOf);
    const isSame = spellingsOfDivision(name).some((own) => known.some((other) => spelledAlike(other, keyOf(own))));
    return isSame ? [{ entity, country, code: `${country}-${code}` }] : [];
  });
  const taken = new Set(areas.list.map(({ key, name }) => `${key.slice(0, 2)} ${keyOf(name)}`));
  const cities = zoneCities(areas, places);
  return new Map(
    repository.map((names) => [LANGUAGES[names.language] ?? names.language, rowsOf(names, { codes, cities, taken })]),
  );
}

interface Division {
  readonly entity: number;
  readonly country: string;
  readonly code: string;
}

interface Keys {
  readonly codes: readonly Division[];
  /** Names of divisions with their countries. Another division does not have one of them. */
  readonly taken: ReadonlySet<string>;
  readonly cities: ReadonlyMap<string, number>;
}

function rowsOf({ language, divisions, zoneCities: named }: CldrNames, { codes, cities, taken }: Keys) {
  const rows: Translation[] = [];
  for (const { entity, country, code } of codes) {
    const name = divisions.get(code);
    if (name !== undefined && !taken.has(`${country} ${keyOf(name)}`)) rows.push({ entity, name });
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
    if (found.has(zone)) continue;
    const city = keyOf(timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' '));
    const isNamed = [name, formerName, ...alternates].some((other) => keyOf(other) === city);
    if (isNamed) found.set(zone, areas.list.length + row);
  }
  return found;
}

const currentZones = new Map<string, string>();

/** One name for all aliases of a zone: Asia/Rangoon is Asia/Yangon. */
function currentZone(zone: string): string {
  const known = currentZones.get(zone) ?? resolvedZone(zone);
  currentZones.set(zone, known);
  return known;
}

function resolvedZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
