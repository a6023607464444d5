import { endianness } from 'node:os';
import { defined } from '../../../../workers/exact/defined.ts';

/** Bits of a row's number: 268 million rows. */
const ROW_BITS = 28;
const CELL_BITS = 32 - ROW_BITS;
const [LOW, HIGH] = endianness() === 'LE' ? [0, 1] : [1, 0];

/** Most rows of one set. */
export const MAX_ROWS = 2 ** ROW_BITS;

/**
 * Rows by ascending cell, rows of one cell in their order. Cell and row are sorted as one number of 64 bits, which needs eight
 * bytes for a row and no comparisons in JavaScript.
 */
export class CellOrder {
  readonly #keys: BigUint64Array;
  readonly #halves: Uint32Array;
  #count = 0;

  constructor(rows: number) {
    this.#keys = new BigUint64Array(rows);
    this.#halves = new Uint32Array(this.#keys.buffer);
  }

  get count(): number {
    return this.#count;
  }

  add(row: number, cell: number): void {
    const at = 2 * this.#count++;
    this.#halves[at + LOW] = row | ((cell % 2 ** CELL_BITS) << ROW_BITS);
    this.#halves[at + HIGH] = Math.floor(cell / 2 ** CELL_BITS);
  }

  sort(): void {
    this.#keys.subarray(0, this.#count).sort();
  }

  rowAt(index: number): number {
    return defined(this.#halves[2 * index + LOW]) & (MAX_ROWS - 1);
  }

  cellAt(index: number): number {
    return (
      defined(this.#halves[2 * index + HIGH]) * 2 ** CELL_BITS + (defined(this.#halves[2 * index + LOW]) >>> ROW_BITS)
    );
  }
}
