import { type Columns, columnOf, type Lines, readLines } from '../columns/columns.ts';

/** Kinds of populated place (https://www.geonames.org/export/codes.html#P); `PlaceTable.feature` is an index here. */
export const FEATURES = [
  'PPL',
  'PPLC',
  'PPLA',
  'PPLA2',
  'PPLA3',
  'PPLA4',
  'PPLA5',
  'PPLX',
  'PPLL',
  'PPLG',
  'PPLF',
] as const;

/** Populated places, the most populous first. A place is identified by its row, which is its rank. */
export interface PlaceTable {
  readonly count: number;
  /** Hundred-thousandths of a degree. */
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
  readonly population: Uint32Array;
  /** The smallest area that contains the place. */
  readonly area: Uint16Array;
  /** Row of the time zone in `zones`. */
  readonly zone: Uint16Array;
  readonly feature: Uint8Array;
  readonly names: Lines;
  /** IANA names of time zones. */
  readonly zones: Lines;
}

export function openPlaces(columns: Columns): PlaceTable {
  const population = columnOf(columns, 'population', Uint32Array);
  return {
    count: population.length,
    latitudeE5: columnOf(columns, 'latitudeE5', Int32Array),
    longitudeE5: columnOf(columns, 'longitudeE5', Int32Array),
    population,
    area: columnOf(columns, 'area', Uint16Array),
    zone: columnOf(columns, 'zone', Uint16Array),
    feature: columnOf(columns, 'feature', Uint8Array),
    names: readLines(columnOf(columns, 'names', Uint8Array)),
    zones: readLines(columnOf(columns, 'zones', Uint8Array)),
  };
}
