import { defined } from '../../exact/defined.ts';
import { type Problem, withoutImpliedCounts } from '../model/problem.ts';
import { greatestOf, leastOf, type Row } from '../model/row.ts';

/** Sums up to this size are added as doubles without rounding. */
const SAFE = 2n ** 50n;
/** The cells take 32 MB. */
export const MAX_CELLS = 4_000_000;

/** A row with the range of room that it may have before each item and after the last. Room: the limit less the sum so far. */
export interface TabulatedRow {
  readonly coefficients: readonly number[];
  readonly limit: number;
  /** The least and the greatest room that makes a difference before an item. */
  readonly least: readonly number[];
  readonly greatest: readonly number[];
}

export interface Layout {
  readonly size: number;
  readonly rows: readonly TabulatedRow[];
  /** The number of cells before each item and after the last. */
  readonly cells: readonly number[];
  readonly total: number;
}

/**
 * Plans the table of a problem. It has a cell for each item and each combination of rooms that the rows may have before it.
 * All rooms that are enough for the remaining items are one cell, so a row needs many cells only while it can still decide
 * something. Groups are rows too: at most one of their items.
 * @returns undefined if the numbers or the table are too large
 */
export function layOut({ free, rows, groups }: Problem): Layout | undefined {
  const size = free.length;
  const all = [...withoutImpliedCounts(rows), ...groups.map((items) => groupRow(items, size))];
  const tabulated: TabulatedRow[] = [];
  for (const row of all) {
    const range = [greatestOf(row.coefficients), -leastOf(row.coefficients), row.limit, -row.limit];
    if (range.some((value) => value > SAFE)) return undefined;
    tabulated.push(tabulate(row, size));
  }
  const cells: number[] = [];
  let total = 0;
  for (let item = 0; item <= size; item += 1) {
    let count = 1;
    for (const { least, greatest } of tabulated) count *= defined(greatest[item]) - defined(least[item]) + 1;
    total += count;
    if (!(count >= 1 && total <= MAX_CELLS)) return undefined;
    cells.push(count);
  }
  return { size, rows: tabulated, cells, total };
}

function groupRow(items: readonly number[], size: number): Row {
  const members = new Set(items);
  return { coefficients: Array.from({ length: size }, (_, item) => (members.has(item) ? 1n : 0n)), limit: 1n };
}

function tabulate({ coefficients: exact, limit: exactLimit }: Row, size: number): TabulatedRow {
  const coefficients = exact.map(Number);
  const limit = Number(exactLimit);
  const taken = ends(coefficients);
  const open = ends(coefficients.toReversed()).toReversed();
  const least: number[] = [];
  const greatest: number[] = [];
  for (let item = 0; item <= size; item += 1) {
    const before = defined(taken[item]);
    const after = defined(open[item]);
    const most = Math.min(after.greatest, limit - before.least);
    least.push(Math.min(Math.max(after.least, limit - before.greatest), most));
    greatest.push(most);
  }
  return { coefficients, limit, least, greatest };
}

interface Ends {
  readonly least: number;
  readonly greatest: number;
}

const NOTHING: Ends = { least: 0, greatest: 0 };

/** The least and the greatest sum of the first 0, 1, 2 … coefficients. */
function ends(coefficients: readonly number[]): readonly Ends[] {
  const found: Ends[] = [NOTHING];
  let last = NOTHING;
  for (const value of coefficients) {
    last = { least: last.least + Math.min(value, 0), greatest: last.greatest + Math.max(value, 0) };
    found.push(last);
  }
  return found;
}
