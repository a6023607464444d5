import type { Columns } from '../../../workers/geocoding/columns/columns.ts';
import { encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { joinDivisions } from './catalog-divisions.ts';
import { readCldrRows, type Translation } from './cldr-rows.ts';
import type { Areas } from './sources/areas.ts';
import { readCurrentNames } from './sources/current-names.ts';
import { withoutState } from './sources/geonames.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import { readCatalogs } from './sources/sources.ts';
import { spelledAlike } from './spelled-alike.ts';

/** Translated names of areas and places. */
export interface Translations {
  /** By language, such as de or pt-BR. Without countries, because `Intl.DisplayNames` has their names. */
  readonly byLanguage: ReadonlyMap<string, readonly Translation[]>;
  /** English names that are not the current ones. People still look for Odessa. */
  readonly formerNames: readonly Translation[];
  /** Names of countries in every language. */
  readonly countryNames: ReadonlyMap<number, readonly string[]>;
}

export function readTranslations(areas: Areas, places: readonly GeoNamesPlace[]): Translations {
  const entityOfId = new Map(places.map(({ id }, index) => [String(id), areas.list.length + index]));
  const byLanguage = new Map<string, readonly Translation[]>();
  const formerNames: Translation[] = [];
  const countryNames = new Map<number, string[]>();
  const catalogs = readCatalogs();
  const divisions = joinDivisions(areas, places, catalogs);
  const cldrRows = readCldrRows(areas, places);
  for (const { language, names: catalog } of catalogs) {
    const currentNames = readCurrentNames(language);
    const names = language === 'en' ? catalog : new Map([...catalog, ...currentNames]);
    const rows: Translation[] = [];
    for (const [key, name] of names) {
      const country = key.length === 2 ? areas.indexOf(key) : undefined;
      const entity = country ?? divisions.get(key) ?? entityOfId.get(key);
      if (entity === undefined) continue;
      const place = places[entity - areas.list.length];
      const own = place?.name ?? areas.list[entity]?.name;
      if (country !== undefined) countryNames.set(country, [...(countryNames.get(country) ?? []), name]);
      else if (language !== 'en' || own === undefined) rows.push({ entity, name });
      else {
        const isCurrent = place?.formerName === undefined && spelledAlike(keyOf(name), keyOf(own));
        const english = currentNames.get(key) ?? (isCurrent ? withoutState(name) : own);
        if (english !== name) formerNames.push({ entity, name });
        // Lodz is Łódź without its marks, not an English name. An answer then has one spelling in all its fields.
        if (keyOf(english) !== keyOf(own)) rows.push({ entity, name: english });
      }
    }
    const tag = language.replace('_', '-');
    const known = new Set(rows.map(({ entity }) => entity));
    if (tag !== 'en') rows.push(...(cldrRows.get(tag) ?? []).filter(({ entity }) => !known.has(entity)));
    const sorted = rows.toSorted((a, b) => a.entity - b.entity);
    if (sorted.length > 0) byLanguage.set(tag, sorted);
  }
  return { byLanguage, formerNames, countryNames };
}

/** The columns of the translations: one row per name, by language and then by entity. */
export function encodeTranslations({ byLanguage }: Translations): Columns {
  const rows = [...byLanguage.values()].flat();
  const counts = [...byLanguage.values()].map(({ length }) => length);
  return {
    languages: encodeLines([...byLanguage.keys()]),
    counts: Uint32Array.from(counts),
    entities: Uint32Array.from(rows, ({ entity }) => entity),
    names: encodeLines(rows.map(({ name }) => name)),
  };
}
