import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, type Lines, readLines } from '../columns/columns.ts';

/** Airports, natural features and landmarks. */
export interface FeatureTable {
  readonly count: number;
  /** Hundred-thousandths of a degree. */
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
  /** What its name is worth, in powers of ten of a town's population. */
  prominenceOf(row: number): number;
  /** Places within this distance are said to be in it. 0 for most. */
  readonly reachKm: Uint16Array;
  /** The smallest area that contains it. Undefined if it is in several countries or in none. */
  areaOf(row: number): number | undefined;
  readonly names: Lines;
  isAirport(row: number): boolean;
  /** IATA and ICAO codes of airports in lower case. */
  codesOf(row: number): readonly string[];
  /** The town that an airport serves. Empty if it is unknown, and for others. */
  readonly towns: Lines;
}

/** In the column of areas. */
export const NO_AREA = 0xffff;

export function openFeatures(columns: Columns): FeatureTable {
  const area = columnOf(columns, 'area', Uint16Array);
  const prominence = columnOf(columns, 'prominence', Uint8Array);
  const codes = readLines(columnOf(columns, 'codes', Uint8Array));
  return {
    count: area.length,
    latitudeE5: columnOf(columns, 'latitudeE5', Int32Array),
    longitudeE5: columnOf(columns, 'longitudeE5', Int32Array),
    prominenceOf: (row) => defined(prominence[row]) / 10,
    reachKm: columnOf(columns, 'reachKm', Uint16Array),
    areaOf: (row) => (area[row] === NO_AREA ? undefined : defined(area[row])),
    names: readLines(columnOf(columns, 'names', Uint8Array)),
    isAirport: (row) => codes.at(row) !== '',
    codesOf: (row) => codes.at(row).toLowerCase().split(' '),
    towns: readLines(columnOf(columns, 'towns', Uint8Array)),
  };
}
