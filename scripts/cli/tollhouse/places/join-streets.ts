import { defined } from '../../../../workers/exact/defined.ts';
import { fold } from '../../../../workers/geocoding/text/fold.ts';
import type { AddressTable, Area, StreetRow } from './address-table.ts';

/** A street reaches this far beyond its known points: about 1 km. */
const MARGIN_E6 = 10_000;
/** The side of a cell in which streets are looked for: about 10 km. */
const CELL_E6 = 100_000;
const CELLS = (180_000_000 / CELL_E6) * (360_000_000 / CELL_E6);
/** A street of a larger area is several streets. */
const MAX_CELLS = 16;

/**
 * Moves rows whose source says little about where they are (no town or no postcode) to a street of the same name around
 * them that says more and contradicts nothing. In OpenStreetMap, half of a street's houses may have a postcode, and the street
 * itself none; without this they would be two streets.
 */
export function joinStreets(table: AddressTable): void {
  const { streets } = table;
  const ranks = Uint8Array.from(streets, rankOf);
  const names = namesOf(streets, ranks);
  if (names.ids.length === 0) return;
  const boxes = boxesOf(table);
  const near = new Map<number, number[]>();
  for (const [id, name] of names.ids.entries()) {
    if (name === undefined || streets[id]?.kind !== 'street' || defined(ranks[id]) <= defined(names.lowest[name]))
      continue;
    for (const cell of boxes.cellsOf(id)) {
      const key = name * CELLS + cell;
      const ids = near.get(key);
      if (ids === undefined) near.set(key, [id]);
      else ids.push(id);
    }
  }
  if (near.size === 0) return;
  for (let row = 0; row < table.count; row++) {
    const street = table.streetOf(row);
    if (ranks[street] === WHOLE) continue;
    const point = { latitudeE6: table.latitudeE6Of(row), longitudeE6: table.longitudeE6Of(row) };
    const key = defined(names.ids[street]) * CELLS + cellAt(point.latitudeE6, point.longitudeE6);
    const better = (near.get(key) ?? []).filter(
      (other) =>
        defined(ranks[other]) > defined(ranks[street]) &&
        agree(defined(streets[street]).area, defined(streets[other]).area) &&
        boxes.distanceE6(other, point) !== undefined,
    );
    const [target] = better.toSorted(
      (a, b) =>
        defined(ranks[b]) - defined(ranks[a]) ||
        defined(boxes.distanceE6(a, point)) - defined(boxes.distanceE6(b, point)) ||
        a - b,
    );
    if (target !== undefined) table.move(row, target);
  }
}

/** The names of streets that say little about where they are, as numbers: of each street, and the lowest rank of each. */
function namesOf(streets: readonly StreetRow[], ranks: Uint8Array) {
  const numbers = new Map<string, number>();
  const lowest: number[] = [];
  for (const [id, { name }] of streets.entries()) {
    const rank = defined(ranks[id]);
    if (rank === WHOLE) continue;
    const key = fold(name);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    lowest[number] = Math.min(lowest[number] ?? WHOLE, rank);
  }
  const ids = numbers.size === 0 ? [] : streets.map(({ name }) => numbers.get(fold(name)));
  return { ids, lowest };
}

const WHOLE = 3;

/** How much a street says about where it is. Towns and named places are never joined. */
function rankOf({ kind, area }: StreetRow): number {
  if (kind !== 'street') return WHOLE;
  return (area.town !== '' && !area.isTownGuessed ? 2 : 0) + (area.postcode === '' ? 0 : 1);
}

function agree(from: Area, to: Area): boolean {
  const isSame = (a: string, b: string) => a === '' || fold(a) === fold(b);
  return (
    (from.isTownGuessed || isSame(from.town, to.town)) &&
    isSame(from.postcode, to.postcode) &&
    isSame(from.region, to.region) &&
    isSame(from.district, to.district)
  );
}

interface PointE6 {
  readonly latitudeE6: number;
  readonly longitudeE6: number;
}

function cellAt(latitudeE6: number, longitudeE6: number): number {
  const row = Math.floor((latitudeE6 + 90_000_000) / CELL_E6);
  return row * (360_000_000 / CELL_E6) + Math.floor((longitudeE6 + 180_000_000) / CELL_E6);
}

/** The boxes around the points of each street, with a margin. */
function boxesOf(table: AddressTable) {
  const count = table.streets.length;
  const south = new Int32Array(count).fill(2 ** 31 - 1);
  const west = new Int32Array(count).fill(2 ** 31 - 1);
  const north = new Int32Array(count).fill(-(2 ** 31));
  const east = new Int32Array(count).fill(-(2 ** 31));
  for (let row = 0; row < table.count; row++) {
    const street = table.streetOf(row);
    const [latitudeE6, longitudeE6] = [table.latitudeE6Of(row), table.longitudeE6Of(row)];
    south[street] = Math.min(defined(south[street]), latitudeE6 - MARGIN_E6);
    west[street] = Math.min(defined(west[street]), longitudeE6 - MARGIN_E6);
    north[street] = Math.max(defined(north[street]), latitudeE6 + MARGIN_E6);
    east[street] = Math.max(defined(east[street]), longitudeE6 + MARGIN_E6);
  }
  const boxOf = (street: number) =>
    [defined(south[street]), defined(west[street]), defined(north[street]), defined(east[street])] as const;
  return {
    /** The cells that the box is in. None if they are too many. */
    cellsOf: (street: number): readonly number[] => {
      const [low, left, high, right] = boxOf(street);
      const rows = Math.floor(high / CELL_E6) - Math.floor(low / CELL_E6) + 1;
      const columns = Math.floor(right / CELL_E6) - Math.floor(left / CELL_E6) + 1;
      if (rows * columns > MAX_CELLS) return [];
      return Array.from({ length: rows * columns }, (_, index) =>
        cellAt(low + Math.floor(index / columns) * CELL_E6, left + (index % columns) * CELL_E6),
      );
    },
    /** How far a point is from the middle of the box. Undefined if it is outside. */
    distanceE6: (street: number, { latitudeE6, longitudeE6 }: PointE6): number | undefined => {
      const [low, left, high, right] = boxOf(street);
      if (latitudeE6 < low || latitudeE6 > high || longitudeE6 < left || longitudeE6 > right) return undefined;
      return Math.hypot(latitudeE6 - (low + high) / 2, longitudeE6 - (left + right) / 2);
    },
  };
}
