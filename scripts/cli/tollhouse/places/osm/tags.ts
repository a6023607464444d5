import type { AddressRow } from '../sources/address-row.ts';

/** The tags of an element that matter, by their keys. */
export type Tags = ReadonlyMap<string, string>;

export type ElementKind = 'node' | 'way' | 'relation';

/** What an element says, without its point. */
export type DescribedRow = Omit<AddressRow, 'latitude' | 'longitude'>;

/** Keys whose elements, if they have a name, are points of interest. */
const POI_KEYS = ['amenity', 'shop', 'tourism', 'leisure', 'office', 'historic', 'craft', 'healthcare'] as const;
/** Keys of which only some values are points of interest. */
const POI_VALUES: readonly (readonly [key: string, values: ReadonlySet<string>])[] = [
  ['railway', new Set(['station', 'halt'])],
  ['public_transport', new Set(['station'])],
  ['aeroway', new Set(['aerodrome', 'terminal', 'heliport'])],
];
const TOWNS: ReadonlySet<string> = new Set(['city', 'town', 'village', 'hamlet']);
const NEIGHBORHOODS: ReadonlySet<string> = new Set(['borough', 'suburb', 'quarter', 'neighbourhood']);
/** Values of `highway` that are not streets. */
const NO_STREETS: ReadonlySet<string> = new Set(
  'abandoned bus_guideway bus_stop construction corridor crossing elevator emergency_bay escape platform proposed raceway razed rest_area services street_lamp traffic_signals via_ferrata'.split(
    ' ',
  ),
);
/** Other names under which a place or a point of interest is found. */
const OTHER_NAMES = ['name:en', 'int_name', 'alt_name', 'short_name', 'official_name', 'loc_name'];
const TOWN_KEYS = ['addr:city', 'addr:town', 'addr:village', 'addr:hamlet'];
const REGION_KEYS = ['addr:state', 'addr:province'];

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...OTHER_NAMES,
  ...POI_KEYS,
  ...POI_VALUES.map(([key]) => key),
  ...TOWN_KEYS,
  ...REGION_KEYS,
  ...['name', 'highway', 'place', 'population', 'type', 'postal_code'],
  ...['addr:housenumber', 'addr:street', 'addr:place', 'addr:postcode', 'addr:county', 'addr:interpolation'],
]);

export function isKnownKey(key: string): boolean {
  return KNOWN_KEYS.has(key);
}

/** Whether a key can make an element a row. */
export function isTelling(key: string): boolean {
  return key === 'name' || key === 'addr:housenumber';
}

/** The addresses, the street, the place and the point of interest that an element is. */
export function rowsOf(tags: Tags, element: ElementKind): readonly DescribedRow[] {
  const around = partsOf(tags);
  const road = textOf(tags, 'addr:street') || textOf(tags, 'addr:place');
  const numbers = road === '' || tags.has('addr:interpolation') ? [] : numbersOf(textOf(tags, 'addr:housenumber'));
  const rows: DescribedRow[] = numbers.map((number) => ({ ...around, number, street: road }));
  const named = namedRow(tags, element, { ...around, number: numbers[0] ?? '', street: road });
  return named === undefined ? rows : [...rows, named];
}

/** Most numbers of one element. "1;3;5" are three. */
const MAX_NUMBERS = 20;

function numbersOf(text: string): readonly string[] {
  return text
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, MAX_NUMBERS);
}

function namedRow(tags: Tags, element: ElementKind, at: DescribedRow): DescribedRow | undefined {
  const name = textOf(tags, 'name');
  if (name === '') return undefined;
  const otherNames = otherNamesOf(tags, name);
  const place = textOf(tags, 'place');
  if (TOWNS.has(place)) return { ...at, number: '', street: '', town: name, otherNames };
  if (NEIGHBORHOODS.has(place)) return { ...at, number: '', street: '', kind: 'neighborhood', name, otherNames };
  if (isStreet(tags, element)) {
    return { ...at, number: '', street: name, postcode: at.postcode || textOf(tags, 'postal_code') };
  }
  return isPoi(tags) ? { ...at, kind: 'poi', name, otherNames } : undefined;
}

/** Whether an element is a named street or square, or a part of one. */
export function isStreet(tags: Tags, element: ElementKind): boolean {
  if (textOf(tags, 'name') === '') return false;
  if (textOf(tags, 'place') === 'square') return true;
  const highway = textOf(tags, 'highway');
  return element === 'way' && highway !== '' && !NO_STREETS.has(highway);
}

function isPoi(tags: Tags): boolean {
  return POI_KEYS.some((key) => tags.has(key)) || POI_VALUES.some(([key, values]) => values.has(textOf(tags, key)));
}

function otherNamesOf(tags: Tags, name: string): readonly string[] {
  const others = OTHER_NAMES.flatMap((key) => textOf(tags, key).split(';')).map((other) => other.trim());
  return [...new Set(others)].filter((other) => other !== '' && other !== name);
}

/** A place that others are in. */
export interface Town {
  readonly name: string;
  readonly kind: string;
  /** Undefined if it is not known. */
  readonly population: number | undefined;
}

/** Undefined if the element is not a town. */
export function townOf(tags: Tags): Town | undefined {
  const name = textOf(tags, 'name');
  const kind = textOf(tags, 'place');
  if (name === '' || !TOWNS.has(kind)) return undefined;
  const population = textOf(tags, 'population').replace(/[ ,.](?=\d{3})/g, '');
  return { name, kind, population: /^\d{1,9}$/.test(population) ? Number(population) : undefined };
}

function partsOf(tags: Tags): DescribedRow {
  return {
    number: '',
    street: '',
    town: firstOf(tags, TOWN_KEYS),
    district: textOf(tags, 'addr:county'),
    region: firstOf(tags, REGION_KEYS),
    postcode: textOf(tags, 'addr:postcode'),
  };
}

function firstOf(tags: Tags, keys: readonly string[]): string {
  return textOf(tags, keys.find((key) => tags.has(key)) ?? '');
}

function textOf(tags: Tags, key: string): string {
  return tags.get(key) ?? '';
}
