import { type Columns, encodeLines } from '../../workers/geocoding/gazetteer/columns.ts';
import { keyOf } from '../../workers/geocoding/text/fold.ts';
import type { Area, Areas } from './areas.ts';
import { COUNTRY_ALIASES } from './country-names.ts';
import type { GeoNamesPlace } from './geonames.ts';
import type { Translations } from './translations.ts';

const MAX_KEY_CHARACTERS = 64;

/** Every key and the entities that go by it; those whose own name it is are told from those it is another name of. */
class NameTable {
  readonly #entities = new Map<string, Map<number, boolean>>();

  add(entity: number, name: string, isOwn: boolean): void {
    for (const spelling of [name, transcribed(name)]) {
      const key = keyOf(spelling);
      if (key === '' || key.length > MAX_KEY_CHARACTERS) continue;
      let entities = this.#entities.get(key);
      if (entities === undefined) {
        entities = new Map();
        this.#entities.set(key, entities);
      }
      entities.set(entity, isOwn || entities.get(entity) === true);
    }
  }

  /** `keys`: sorted. `counts`: entities of each. `postings`: twice the entity, one more where the name is its own. */
  encode(): Columns {
    const keys = [...this.#entities.keys()].sort();
    const lists = keys.map((key) => [...(this.#entities.get(key) ?? [])].sort(([a], [b]) => a - b));
    return {
      keys: encodeLines(keys),
      counts: Uint16Array.from(lists, ({ length }) => length),
      postings: Uint32Array.from(lists.flat(), ([entity, isOwn]) => entity * 2 + Number(isOwn)),
    };
  }
}

/** German and Nordic letters as they are written where a keyboard lacks them. */
const TRANSCRIPTIONS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

function transcribed(name: string): string {
  return name.normalize('NFC').replace(/[äöüåø]/gi, (letter) => TRANSCRIPTIONS[letter.toLowerCase()] ?? letter);
}

export interface NamedEntities {
  readonly areas: Areas;
  readonly places: readonly GeoNamesPlace[];
  readonly translations: Translations;
  /** ISO 3166-2 codes of areas, without the country. */
  readonly isoCodes: ReadonlyMap<number, string>;
}

export function buildNames({ areas, places, translations, isoCodes }: NamedEntities): Columns {
  const table = new NameTable();
  for (const [index, area] of areas.list.entries()) {
    for (const name of namesOfArea(area)) table.add(index, name, true);
    const code = isoCodes.get(index);
    if (code !== undefined && /^[A-Z]{2,3}$/.test(code)) table.add(index, code, false);
  }
  for (const [index, names] of translations.countryNames) for (const name of names) table.add(index, name, false);
  for (const [language, rows] of translations.byLanguage) {
    for (const { entity, name } of rows) table.add(entity, name, true);
    const regionNames = displayNames(language);
    for (const [index, { key, level }] of areas.list.entries()) {
      if (level === 0) table.add(index, regionNames.of(key) ?? key, language === 'en');
    }
  }
  for (const [index, { name, alternates }] of places.entries()) {
    const entity = areas.list.length + index;
    table.add(entity, name, true);
    for (const alternate of alternates) table.add(entity, alternate, false);
  }
  return table.encode();
}

function displayNames(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language, 'en'], { type: 'region' });
}

/** Words that say what a division is, and are often left out. */
const KIND_BEHIND =
  / (county|parish|borough|census area|municipality|district|province|prefecture|region|oblast|governorate|department|state|city|raion|kraj|county council)$/i;
const KIND_BEFORE =
  /^(province of|provincia di|provincia de|province de|provincia|landkreis|kreis|stadt|kreisfreie stadt|region of|state of|city of|city and county of|district of|department of|arrondissement de|arrondissement of|powiat|comarca de|obshtina|metropolitan city of|citta metropolitana di) /i;

function namesOfArea({ key, level, name }: Area): readonly string[] {
  if (level === 0) return [key, ...(COUNTRY_ALIASES[key] ?? [])];
  const short = name.replace(KIND_BEFORE, '').replace(KIND_BEHIND, '');
  return short === name || short === '' ? [name] : [name, short];
}
