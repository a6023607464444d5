import type { Layout, TabulatedRow } from './layout.ts';

/** Of no set. */
const NONE = Number.NEGATIVE_INFINITY;

/**
 * The best set by dynamic programming (Bellman 1957), and of equally good ones the one with the smallest list of items. A
 * cell is what the items from one on can add in the rooms that are left, and is worked out from the last item to the
 * first.
 * @param earliestEnd before that item, a list goes on in any case
 * @returns undefined where no set obeys
 */
export function bestByTable(
  layout: Layout,
  worths: readonly number[],
  earliestEnd: number,
): readonly number[] | undefined {
  const tables = fill(layout, worths);
  const { size, rows } = layout;
  const rooms = rows.map(({ limit, least, greatest }) => within(limit, least[0] ?? 0, greatest[0] ?? 0));
  const chosen: number[] = [];
  let left = tables[0]?.[placeOf(rows, rooms, 0)] ?? NONE;
  if (left === NONE) return undefined;
  for (let item = 0; item < size; item += 1) {
    if (item >= earliestEnd && left === 0 && rooms.every((room) => room >= 0)) break;
    const after = tables[item + 1];
    const worth = worths[item] ?? 0;
    const taken = rows.map((row, index) => next(row, item, (rooms[index] ?? 0) - (row.coefficients[item] ?? 0)));
    const skipped = rows.map((row, index) => next(row, item, rooms[index] ?? 0));
    const withItem = valueAt(after, rows, taken, item + 1);
    const isTaken = withItem !== NONE && withItem + worth === left;
    if (isTaken) chosen.push(item);
    for (const index of rooms.keys()) rooms[index] = (isTaken ? taken : skipped)[index] ?? 0;
    left = isTaken ? withItem : valueAt(after, rows, skipped, item + 1);
  }
  return chosen;
}

/** For each item, the cells before it; the last is the one after all. */
function fill({ size, rows, cells }: Layout, worths: readonly number[]): readonly Float64Array[] {
  const tables = cells.map((count) => new Float64Array(count));
  for (let item = size - 1; item >= 0; item -= 1) {
    const table = tables[item];
    const after = tables[item + 1];
    if (table === undefined || after === undefined) throw new RangeError(`no cells for item ${item}`);
    fillBefore(item, rows, worths[item] ?? 0, table, after);
  }
  return tables;
}

function fillBefore(
  item: number,
  rows: readonly TabulatedRow[],
  worth: number,
  table: Float64Array,
  after: Float64Array,
): void {
  // Plain arrays of numbers: this is where the time goes.
  const coefficients = rows.map((row) => row.coefficients[item] ?? 0);
  const least = rows.map((row) => row.least[item] ?? 0);
  const greatest = rows.map((row) => row.greatest[item] ?? 0);
  const nextLeast = rows.map((row) => row.least[item + 1] ?? 0);
  const nextGreatest = rows.map((row) => row.greatest[item + 1] ?? 0);
  const rooms = [...least];
  const count = rows.length;
  for (let cell = 0; cell < table.length; cell += 1) {
    let taken = 0;
    let skipped = 0;
    for (let row = 0; row < count; row += 1) {
      const low = nextLeast[row] as number;
      const high = nextGreatest[row] as number;
      const room = rooms[row] as number;
      const width = high - low + 1;
      const roomTaken = room - (coefficients[row] as number);
      if (room < low) skipped = NONE;
      else skipped = skipped * width + Math.min(room, high) - low;
      if (roomTaken < low) taken = NONE;
      else taken = taken * width + Math.min(roomTaken, high) - low;
    }
    const without = skipped >= 0 ? (after[skipped] as number) : NONE;
    const including = taken >= 0 ? (after[taken] as number) + worth : NONE;
    table[cell] = Math.max(including, without);
    // The rooms of the next cell: the last row's change fastest.
    for (let row = count - 1; row >= 0; row -= 1) {
      const room = (rooms[row] as number) + 1;
      if (room <= (greatest[row] as number)) {
        rooms[row] = room;
        break;
      }
      rooms[row] = least[row] as number;
    }
  }
}

/** The room before the next item, or one that no set has. */
function next({ least, greatest }: TabulatedRow, item: number, room: number): number {
  return room < (least[item + 1] ?? 0) ? NONE : Math.min(room, greatest[item + 1] ?? 0);
}

function valueAt(
  table: Float64Array | undefined,
  rows: readonly TabulatedRow[],
  rooms: readonly number[],
  item: number,
): number {
  if (table === undefined || rooms.includes(NONE)) return NONE;
  return table[placeOf(rows, rooms, item)] ?? NONE;
}

const placeOf = (rows: readonly TabulatedRow[], rooms: readonly number[], item: number): number =>
  rows.reduce((place, { least, greatest }, index) => {
    const low = least[item] ?? 0;
    return place * ((greatest[item] ?? 0) - low + 1) + (rooms[index] ?? 0) - low;
  }, 0);

const within = (value: number, least: number, greatest: number): number => Math.max(least, Math.min(value, greatest));
