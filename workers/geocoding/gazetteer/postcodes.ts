import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, type Lines, readLines } from '../columns/columns.ts';

/** US ZIP codes, ascending. */
export interface PostcodeTable {
  readonly latitudeE5: Int32Array;
  readonly longitudeE5: Int32Array;
  readonly area: Uint16Array;
  /** The town that the post office names. */
  readonly towns: Lines;
  /** Row of a code of five digits. Undefined if there is no such code. */
  find(code: string): number | undefined;
  codeAt(row: number): string;
}

const DIGITS = /^\d{5}$/;

export function openPostcodes(columns: Columns): PostcodeTable {
  const codes = columnOf(columns, 'codes', Uint32Array);
  const rows = new Map(Array.from(codes, (code, row) => [code, row]));
  return {
    latitudeE5: columnOf(columns, 'latitudeE5', Int32Array),
    longitudeE5: columnOf(columns, 'longitudeE5', Int32Array),
    area: columnOf(columns, 'areas', Uint16Array),
    towns: readLines(columnOf(columns, 'towns', Uint8Array)),
    find: (code) => (DIGITS.test(code) ? rows.get(Number(code)) : undefined),
    codeAt: (row) => String(defined(codes[row])).padStart(5, '0'),
  };
}
