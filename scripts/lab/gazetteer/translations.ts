import type { Columns } from '../../../workers/geocoding/columns/columns.ts';
import { encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { readCatalogue } from './catalogue.ts';
import type { Areas } from './sources/areas.ts';
import type { GeoNamesPlace } from './sources/geonames.ts';
import { catalogues } from './sources/sources.ts';

export interface Translation {
  /** Area, or the number of areas and the place. */
  readonly entity: number;
  readonly name: string;
}

/** Names by language, such as de or pt-BR; those of countries are left out, as every language has them at hand. */
export interface Translations {
  readonly byLanguage: ReadonlyMap<string, readonly Translation[]>;
  /** Names of countries in every language. */
  readonly countryNames: ReadonlyMap<number, readonly string[]>;
}

export function readTranslations(areas: Areas, places: readonly GeoNamesPlace[]): Translations {
  const entityOfId = new Map(places.map(({ id }, index) => [String(id), areas.list.length + index]));
  const byLanguage = new Map<string, readonly Translation[]>();
  const countryNames = new Map<number, string[]>();
  for (const { language, bytes } of catalogues()) {
    const rows: Translation[] = [];
    for (const [key, name] of readCatalogue(bytes)) {
      const area = areas.indexOf(key);
      const entity = area ?? entityOfId.get(key);
      if (entity === undefined) continue;
      if (areas.list[entity]?.level === 0) countryNames.set(entity, [...(countryNames.get(entity) ?? []), name]);
      else rows.push({ entity, name });
    }
    const sorted = rows.toSorted((a, b) => a.entity - b.entity);
    if (sorted.length > 0) byLanguage.set(language.replace('_', '-'), sorted);
  }
  return { byLanguage, countryNames };
}

/** One row a name, the rows of a language together and by entity. */
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
