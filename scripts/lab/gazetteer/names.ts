import { type Columns, encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { distanceKm, type Point } from '../../../workers/geocoding/geometry/distance.ts';
import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { COUNTRY_ALIASES } from './country-names.ts';
import { spellingsOfDivision } from './division-names.ts';
import type { Feature } from './features.ts';
import type { Area, Areas } from './sources/areas.ts';
import { simplified, traditional } from './sources/han.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import type { Translations } from './translations.ts';

const MAX_KEY_CHARACTERS = 64;

/** The entities of each key (a folded name), with whether it is the entity's own name or another name of it. */
class NameTable {
  readonly #entities = new Map<string, Map<number, boolean>>();

  add(entity: number, name: string, isOwn: boolean): void {
    for (const spelling of [name, transcribed(name), simplified(name), traditional(name)]) {
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

  /** The entities with that name. */
  entitiesOf(name: string): readonly number[] {
    return [...(this.#entities.get(keyOf(name))?.keys() ?? [])];
  }

  /**
   * The columns of the table. `keys`: the sorted keys. `counts`: the number of entities of each key. `postings`: twice
   * the entity, plus one if the key is its own name.
   */
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

/** How people write German and Nordic letters on a keyboard without them. */
const TRANSCRIPTIONS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

function transcribed(name: string): string {
  return name.normalize('NFC').replace(/[äöüåø]/gi, (letter) => TRANSCRIPTIONS[letter.toLowerCase()] ?? letter);
}

export interface NamedEntities {
  readonly areas: Areas;
  readonly places: readonly GeoNamesPlace[];
  readonly translations: Translations;
  /** ISO 3166-2 codes by area, without the country. */
  readonly isoCodes: ReadonlyMap<number, string>;
  readonly features: readonly Feature[];
  /** A point in each country and first-level division. */
  readonly points: ReadonlyMap<number, Point>;
}

/** A division within this distance of a feature, with the same name, is the feature: the island of Sicily. */
const SAME_FEATURE_KM = 300;
const WIDE = new Set(['island', 'region', 'park']);
/** Of an airport and the town that it serves. */
const SAME_TOWN_KM = 100;

export interface BuiltNames {
  readonly columns: Columns;
  /** The most prominent feature that each area is, if it is one. */
  readonly featureOf: ReadonlyMap<number, Feature>;
}

export function buildNames({ areas, places, features, translations, isoCodes, points }: NamedEntities): BuiltNames {
  const table = new NameTable();
  for (const [index, area] of areas.list.entries()) {
    for (const name of namesOfArea(area)) table.add(index, name, true);
    const code = isoCodes.get(index) ?? provinceCode(area);
    if (/^[A-Z]{2,3}$/.test(code)) table.add(index, code, false);
  }
  for (const [index, names] of translations.countryNames) {
    for (const name of names) if (!isLikeCode(name)) table.add(index, name, false);
  }
  for (const { entity, name } of translations.formerNames) {
    for (const spelling of entity < areas.list.length ? spellingsOfDivision(name) : [name])
      table.add(entity, spelling, true);
  }
  for (const [language, rows] of translations.byLanguage) {
    for (const { entity, name } of rows) {
      const area = areas.list[entity];
      const country = area?.key.slice(0, 2) ?? places[entity - areas.list.length]?.countryCode;
      const isOwn = isSpoken(language, country);
      for (const spelling of area === undefined ? [name] : spellingsOfDivision(name))
        table.add(entity, spelling, isOwn);
    }
    const regionNames = displayNames(language);
    for (const [index, { key, level }] of areas.list.entries()) {
      const name = level === 0 ? regionNames.of(key) : undefined;
      if (name !== undefined && !isLikeCode(name)) table.add(index, name, language === 'en');
    }
  }
  const airportsByCode = Map.groupBy(
    features.flatMap((feature) => feature.codes.map((code) => ({ code, ...feature }))),
    ({ code }) => code,
  );
  for (const [index, place] of places.entries()) {
    const { name, formerName, alternates } = place;
    const entity = areas.list.length + index;
    table.add(entity, name, true);
    if (formerName !== undefined) table.add(entity, formerName, true);
    const short = shortName(place);
    if (short !== undefined) table.add(entity, short, true);
    for (const alternate of alternates.flatMap(spellingsOfTown)) {
      if (isBare(alternate) || isTransliterated(alternate)) continue;
      // The code of its airport is not a name of a town.
      const airports = airportsByCode.get(alternate) ?? [];
      if (airports.every((airport) => distanceKm(airport, place) > SAME_TOWN_KM)) table.add(entity, alternate, false);
    }
  }
  const featureOf = new Map<number, Feature>();
  const isOf = (area: number, feature: Feature) => {
    const point = points.get(area);
    const isNear = point !== undefined && distanceKm(point, feature) < SAME_FEATURE_KM;
    // A country may be too large to be near its own point: Greenland.
    return isNear || (area === feature.area && areas.list[area]?.level === 0);
  };
  for (const [index, feature] of features.entries()) {
    const entity = areas.list.length + places.length + index;
    for (const [nth, name] of feature.names.entries()) {
      const known = table.entitiesOf(name);
      const divisions = WIDE.has(feature.kind) ? known.filter((area) => isOf(area, feature)) : [];
      for (const area of divisions) {
        if (feature.prominence > (featureOf.get(area)?.prominence ?? 0)) featureOf.set(area, feature);
      }
      if (divisions.length > 0) continue;
      // The town of an island has its name first.
      const isTown = known.some((other) => {
        const place = places[other - areas.list.length];
        return place !== undefined && distanceKm(place, feature) < feature.reachKm;
      });
      table.add(entity, name, (nth === 0 && !isTown) || feature.kind === 'airport');
    }
    for (const code of feature.codes) table.add(entity, code, false);
  }
  return { columns: table.encode(), featureOf };
}

/** Short names of countries that people use. */
const SHORT_NAMES = new Set(['abd', 'eua', 'fas', 'lao', 'nga', 'usa']);

/**
 * Whether a name of a country looks like a code or a word: the Czech abbreviation for the United States, SAD in Bosnian. A
 * name with a mark does not: Çin, Đức.
 */
function isLikeCode(name: string): boolean {
  const key = keyOf(name);
  if (/^[a-z ]{1,2}$/.test(key)) return true;
  const letters = name.replace(/\P{L}/gu, '');
  return /^[a-z]{3}$/.test(key) && /^(?:[A-Za-z]{3}|\p{Lu}{3})$/u.test(letters) && !SHORT_NAMES.has(key);
}

/** Whether another name of a place looks like a code too: 'mn for Amman, in a script without vowels, or Te for Dezhou. */
function isBare(name: string): boolean {
  return name !== name.toUpperCase() && /^(?:[a-z]{1,2}|[b-df-hj-np-tv-xz]{3})$/.test(keyOf(name));
}

/** Whether a name is a transliteration by GeoNames of one in another script, which nobody writes: ba li for Paris. */
function isTransliterated(name: string): boolean {
  return /[a-z]/.test(name) && name === name.toLowerCase();
}

/** The words for a town at the end of names in Chinese, Japanese, Korean, Burmese and English. */
const TOWN_BEHIND = /(?<=..)(?:市|特区| ?시|မြို့| D\. ?C\.| DC)$/;

/** A town's name, and its name without the word for its kind. */
function spellingsOfTown(name: string): readonly string[] {
  const spellings = [name, name.replace(TOWN_BEHIND, '')];
  // Both ends of Telugu names are in use.
  if (/దు$/.test(name)) spellings.push(name.replace(/ు$/, '్'));
  return [...new Set(spellings)];
}

const GERMAN = new Set(['AT', 'CH', 'DE', 'LI', 'LU']);
/** What tells towns of one name apart: Landsberg am Lech, Buchen in Odenwald, Burg (Spreewald). */
const GERMAN_ADDITION = /^(\S{3,}) (?:(?:im|in|am|an|auf|bei|ob|vor|unter|vorm|a\.) ?\S.*|\(.+\))$/i;

/** The name of a German town without what tells it from others. People leave it out. */
function shortName({ name, countryCode }: GeoNamesPlace): string | undefined {
  return GERMAN.has(countryCode) ? GERMAN_ADDITION.exec(name)?.[1] : undefined;
}

/** Languages of countries beside the main one. */
const FURTHER_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  BE: ['fr', 'de'],
  BY: ['ru'],
  CA: ['fr'],
  CH: ['fr', 'it'],
  ES: ['ca', 'eu', 'gl'],
  FI: ['sv'],
  IE: ['ga'],
  IT: ['de'],
  LU: ['de'],
  UA: ['ru'],
};

/** Whether a name in a language is a place's own: English, or a language of its country. Breslau is another name. */
function isSpoken(language: string, country: string | undefined): boolean {
  const { language: base } = new Intl.Locale(language);
  if (base === 'en' || country === undefined) return true;
  return (
    base === new Intl.Locale('und', { region: country }).maximize().language ||
    (FURTHER_LANGUAGES[country]?.includes(base) ?? false)
  );
}

function displayNames(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language, 'en'], { type: 'region' });
}

function namesOfArea({ key, level, name }: Area): readonly string[] {
  return level === 0 ? [key, ...(COUNTRY_ALIASES[key] ?? [])] : spellingsOfDivision(name);
}

/** The code of an Italian province. Italians write it after a town's name, and it is part of the GeoNames key. */
function provinceCode({ key, level }: Area): string {
  return level === 2 && key.startsWith('IT.') ? key.slice(key.lastIndexOf('.') + 1) : '';
}
