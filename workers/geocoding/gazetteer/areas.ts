import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, type Lines, readLines } from '../columns/columns.ts';

/** Countries (level 0), then first-level divisions, then second-level ones. */
export interface AreaTable {
  readonly count: number;
  readonly level: Uint8Array;
  /** The area that contains it. For a country, its own row. */
  readonly parent: Uint16Array;
  /** The population of all places in it. */
  readonly population: Uint32Array;
  /** What its name is worth as that of an island or a region, in tenths of powers of ten of a town's population. 0 for others. */
  readonly fame: Uint8Array;
  /** A point in the area, in hundred-thousandths of a degree. (0, 0) if none is known. */
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
  /** ISO 3166-1 alpha-2 of countries, ISO 3166-2 without the country of first-level divisions. Empty if unknown. */
  readonly codes: Lines;
  /** Empty for countries. */
  readonly names: Lines;
}

export function openAreas(columns: Columns): AreaTable {
  const level = columnOf(columns, 'level', Uint8Array);
  return {
    count: level.length,
    level,
    parent: columnOf(columns, 'parent', Uint16Array),
    population: columnOf(columns, 'population', Uint32Array),
    fame: columnOf(columns, 'fame', Uint8Array),
    latitudeE5: columnOf(columns, 'latitudeE5', Int32Array),
    longitudeE5: columnOf(columns, 'longitudeE5', Int32Array),
    codes: readLines(columnOf(columns, 'codes', Uint8Array)),
    names: readLines(columnOf(columns, 'names', Uint8Array)),
  };
}

/** The area of a level that contains `area` or is `area` itself. Undefined if `area` is above that level or undefined. */
export function holderOf({ level, parent }: AreaTable, area: number | undefined, wanted: number): number | undefined {
  if (area === undefined) return undefined;
  let at = area;
  while (defined(level[at]) > wanted) at = defined(parent[at]);
  return level[at] === wanted ? at : undefined;
}
