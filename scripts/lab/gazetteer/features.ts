import type { Boundaries } from '../../../workers/geocoding/boundaries/boundaries.ts';
import { type Columns, encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { NO_AREA } from '../../../workers/geocoding/gazetteer/features.ts';
import { distanceKm } from '../../../workers/geocoding/geometry/distance.ts';
import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import { airportNames } from './airport-names.ts';
import { readAirports } from './sources/airports.ts';
import type { Areas } from './sources/areas.ts';
import { readFeatures } from './sources/features.ts';

/** A row of `FeatureTable`, with all its names. */
export interface Feature {
  readonly kind: string;
  /** The first is its own. */
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined if it is in several countries or in none. */
  readonly area: number | undefined;
  readonly town: string;
  readonly prominence: number;
  readonly reachKm: number;
}

/** What a name of a feature is worth beside the population of a town with that name, in tenths of powers of ten. */
const FAME = [0, 48, 56, 66] as const;
const AIRPORT = { large: 52, medium: 40 } as const;
/** Kinds that are larger than first-level divisions. */
const LONG = new Set(['river', 'range', 'desert', 'region', 'sea', 'canal']);

export function collectFeatures(
  areas: Areas,
  isoCodes: ReadonlyMap<number, string>,
  boundaries: Boundaries,
): readonly Feature[] {
  const known = readFeatures().map(({ kind, latitude, longitude, countryCode, fame, reachKm, names }) => {
    const country = countryCode === undefined ? undefined : areas.indexOf(countryCode);
    const found = LONG.has(kind) ? undefined : boundaries.areaAt(latitude, longitude);
    const isInCountry = found !== undefined && areas.list[found]?.key.slice(0, 2) === countryCode;
    const area = isInCountry ? found : country;
    return {
      kind,
      names: spellings(kind, names),
      codes: [],
      latitude,
      longitude,
      area,
      town: '',
      prominence: FAME[fame] ?? 0,
      reachKm,
    };
  });
  const divisions = new Map(
    [...isoCodes].map(([area, code]) => [`${areas.list[area]?.key.slice(0, 2)}-${code}`, area]),
  );
  const airports = readAirports().flatMap((airport) => {
    const { countryCode, division, latitude, longitude, town, codes, isLarge } = airport;
    const country = areas.indexOf(countryCode);
    if (country === undefined) return [];
    const area = divisions.get(`${countryCode}-${division}`) ?? country;
    const prominence = isLarge ? AIRPORT.large : AIRPORT.medium;
    const names = airportNames(airport);
    return [{ kind: 'airport', names, codes, latitude, longitude, area, town, prominence, reachKm: 0 }];
  });
  return [...known, ...withoutNamesOfOthers(airports)];
}

/** Within this distance, an airport's own name is no other name of an older one. */
const SAME_CITY_KM = 100;

/** İstanbul Airport is not the older Atatürk Airport. */
function withoutNamesOfOthers(airports: readonly Feature[]): readonly Feature[] {
  const byOwnName = Map.groupBy(airports, ({ names: [own = ''] }) => keyOf(own));
  return airports.map((airport) => {
    const isOfOther = (name: string) =>
      (byOwnName.get(keyOf(name)) ?? []).some(
        (other) => other !== airport && distanceKm(other, airport) < SAME_CITY_KM,
      );
    return { ...airport, names: airport.names.filter((name, nth) => nth === 0 || !isOfOther(name)) };
  });
}

/** Names of rivers are used with and without the word. What follows a comma says where a place is, and is no part of its name. */
function spellings(kind: string, [own = '', ...others]: readonly string[]): readonly string[] {
  const [name = own] = own.split(', ');
  const names = [name, ...others.filter((other) => !other.includes(', '))];
  if (kind !== 'river') return names;
  const plain = names.filter((spelling) => !/\b(river|rio|río)\b/i.test(spelling));
  return [...names, ...plain.flatMap((spelling) => [`${spelling} River`, `River ${spelling}`])];
}

/** The columns of `FeatureTable`. */
export function encodeFeatures(features: readonly Feature[]): Columns {
  return {
    latitudeE5: Int32Array.from(features, ({ latitude }) => Math.round(latitude * 1e5)),
    longitudeE5: Int32Array.from(features, ({ longitude }) => Math.round(longitude * 1e5)),
    area: Uint16Array.from(features, ({ area }) => area ?? NO_AREA),
    prominence: Uint8Array.from(features, ({ prominence }) => prominence),
    reachKm: Uint16Array.from(features, ({ reachKm }) => reachKm),
    names: encodeLines(features.map(({ names: [name = ''] }) => name)),
    codes: encodeLines(features.map(({ codes }) => codes.join(' '))),
    towns: encodeLines(features.map(({ town }) => town)),
  };
}
