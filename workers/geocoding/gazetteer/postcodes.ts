import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, type Lines, readLines } from '../columns/columns.ts';

/** Postcodes in ascending order. A code of several countries has several rows. */
export interface PostcodeTable {
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
  readonly area: Uint16Array;
  /** The areas that have a code. */
  readonly areas: ReadonlySet<number>;
  /** The row of its town in the table of places. Undefined if the town is not there. */
  placeOf(row: number): number | undefined;
  /** The town that the post office names. Empty if the place has the name. */
  townOf(row: number): string;
  /** The rows of a code, in upper case and without separators. */
  find(code: string): readonly number[];
  /** The rows of the codes that begin with a text. */
  findPrefix(prefix: string): readonly number[];
  codeAt(row: number): string;
}

/** In the column of places. */
export const NO_PLACE = 0xffffffff;

export function openPostcodes(columns: Columns): PostcodeTable {
  const codes = readLines(columnOf(columns, 'codes', Uint8Array));
  const area = columnOf(columns, 'areas', Uint16Array);
  const places = columnOf(columns, 'places', Uint32Array);
  const towns = columnOf(columns, 'towns', Uint32Array);
  const townNames = readLines(columnOf(columns, 'townNames', Uint8Array));
  const rowsFrom = (first: string, matches: (code: string) => boolean) => {
    const rows: number[] = [];
    for (let row = firstOf(codes, first); row < codes.count && matches(codes.at(row)); row++) rows.push(row);
    return rows;
  };
  return {
    latitudeE5: columnOf(columns, 'latitudeE5', Int32Array),
    longitudeE5: columnOf(columns, 'longitudeE5', Int32Array),
    area,
    areas: new Set(area),
    placeOf: (row) => (places[row] === NO_PLACE ? undefined : defined(places[row])),
    townOf: (row) => townNames.at(defined(towns[row])),
    find: (code) => rowsFrom(code, (other) => other === code),
    findPrefix: (prefix) => rowsFrom(prefix, (other) => other.startsWith(prefix)),
    codeAt: (row) => codes.at(row),
  };
}

/** The first row that is not before the code. */
function firstOf(codes: Lines, code: string): number {
  let low = 0;
  let high = codes.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codes.at(middle) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
