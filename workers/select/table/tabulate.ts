import { defined } from '../../exact/defined.ts';
import type { Layout, TabulatedRow } from './layout.ts';

/** The value of a cell that no set reaches. */
const NONE = Number.NEGATIVE_INFINITY;

/**
 * The best set by dynamic programming (Bellman 1957). Of equally good sets, the one with the smallest list of items. A cell
 * has the most that the items from one on can add in the rooms that are left. Cells are filled from the last item to the
 * first.
 * @param earliestEnd the item before which a list cannot end
 * @returns undefined if no set obeys the rows
 */
export function bestByTable(
  layout: Layout,
  worths: readonly number[],
  earliestEnd: number,
): readonly number[] | undefined {
  const tables = fill(layout, worths);
  const { size, rows } = layout;
  let rooms = rows.map((row) => roomBefore(row, 0, row.limit));
  const chosen: number[] = [];
  let left = valueAt(defined(tables[0]), rows, rooms, 0);
  if (left === NONE) return undefined;
  for (let item = 0; item < size; item += 1) {
    if (item >= earliestEnd && left === 0 && rooms.every((room) => room >= 0)) break;
    const after = defined(tables[item + 1]);
    const skipped = rows.map((row, index) => roomBefore(row, item + 1, defined(rooms[index])));
    const taken = rows.map((row, index) => {
      return roomBefore(row, item + 1, defined(rooms[index]) - defined(row.coefficients[item]));
    });
    const withItem = valueAt(after, rows, taken, item + 1);
    const isTaken = withItem !== NONE && withItem + defined(worths[item]) === left;
    if (isTaken) chosen.push(item);
    left = isTaken ? withItem : valueAt(after, rows, skipped, item + 1);
    rooms = isTaken ? taken : skipped;
  }
  return chosen;
}

/** For each item, the cells before it. The last table has the cells after all items. */
function fill({ size, rows, cells }: Layout, worths: readonly number[]): readonly Float64Array[] {
  const tables = cells.map((count) => new Float64Array(count));
  for (let item = size - 1; item >= 0; item -= 1) {
    fillBefore(item, rows, defined(worths[item]), { table: defined(tables[item]), after: defined(tables[item + 1]) });
  }
  return tables;
}

interface Tables {
  readonly table: Float64Array;
  readonly after: Float64Array;
}

/** Plain arrays of numbers make this fast: nearly all time of a table is spent here. */
function fillBefore(item: number, rows: readonly TabulatedRow[], worth: number, { table, after }: Tables): void {
  const coefficients = rows.map((row) => defined(row.coefficients[item]));
  const nothing = rows.map(() => 0);
  const least = rows.map((row) => defined(row.least[item]));
  const greatest = rows.map((row) => defined(row.greatest[item]));
  const nextLeast = rows.map((row) => defined(row.least[item + 1]));
  const nextGreatest = rows.map((row) => defined(row.greatest[item + 1]));
  const rooms = [...least];
  for (let cell = 0; cell < table.length; cell += 1) {
    const skipped = placeAfter(rooms, nothing, nextLeast, nextGreatest);
    const taken = placeAfter(rooms, coefficients, nextLeast, nextGreatest);
    const without = skipped >= 0 ? defined(after[skipped]) : NONE;
    const including = taken >= 0 ? defined(after[taken]) + worth : NONE;
    table[cell] = Math.max(including, without);
    advance(rooms, least, greatest);
  }
}

/** The place of the rooms that are left after an item takes its part of each. Below 0 if a row has too little room. */
function placeAfter(
  rooms: readonly number[],
  taken: readonly number[],
  least: readonly number[],
  greatest: readonly number[],
): number {
  let place = 0;
  for (let row = 0; row < rooms.length; row += 1) {
    const low = defined(least[row]);
    const high = defined(greatest[row]);
    const room = defined(rooms[row]) - defined(taken[row]);
    if (room < low) return -1;
    place = place * (high - low + 1) + Math.min(room, high) - low;
  }
  return place;
}

/** Moves to the rooms of the next cell. Those of the last row change fastest. */
function advance(rooms: number[], least: readonly number[], greatest: readonly number[]): void {
  for (let row = rooms.length - 1; row >= 0; row -= 1) {
    const room = defined(rooms[row]) + 1;
    if (room <= defined(greatest[row])) {
      rooms[row] = room;
      return;
    }
    rooms[row] = defined(least[row]);
  }
}

/** The room before an item, as its cells have it. NONE if no set has so little room. */
function roomBefore({ least, greatest }: TabulatedRow, item: number, room: number): number {
  return room < defined(least[item]) ? NONE : Math.min(room, defined(greatest[item]));
}

function valueAt(table: Float64Array, rows: readonly TabulatedRow[], rooms: readonly number[], item: number): number {
  return rooms.includes(NONE) ? NONE : defined(table[placeOf(rows, rooms, item)]);
}

const placeOf = (rows: readonly TabulatedRow[], rooms: readonly number[], item: number): number =>
  rows.reduce((place, { least, greatest }, index) => {
    const low = defined(least[item]);
    return place * (defined(greatest[item]) - low + 1) + defined(rooms[index]) - low;
  }, 0);
