import type { AddressTable } from './address-table.ts';

/** Points that are nearer, from south to north and from west to east, are one: about 100 m. */
const NEAR_E6 = 1000;
const COLUMNS = 360_000_000 / NEAR_E6 + 2;
const STEPS = [-1, 0, 1];

/** Rows that are not near each other. There is at most one in each cell, so looking for a near one takes nine steps. */
export class Spots {
  readonly #table: AddressTable;
  readonly #rows = new Map<number, number>();

  constructor(table: AddressTable) {
    this.#table = table;
  }

  add(row: number): void {
    this.#rows.set(this.#cellOf(row, 0, 0), row);
  }

  hasNear(row: number): boolean {
    return STEPS.some((north) =>
      STEPS.some((east) => this.#isNear(row, this.#rows.get(this.#cellOf(row, north, east)))),
    );
  }

  #isNear(a: number, b: number | undefined): boolean {
    if (b === undefined) return false;
    const table = this.#table;
    return (
      Math.abs(table.latitudeE6Of(a) - table.latitudeE6Of(b)) < NEAR_E6 &&
      Math.abs(table.longitudeE6Of(a) - table.longitudeE6Of(b)) < NEAR_E6
    );
  }

  #cellOf(row: number, north: number, east: number): number {
    const at = (value: number) => Math.floor(value / NEAR_E6);
    return (at(this.#table.latitudeE6Of(row)) + north) * COLUMNS + at(this.#table.longitudeE6Of(row)) + east;
  }
}
