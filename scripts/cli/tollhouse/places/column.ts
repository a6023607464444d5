import { defined } from '../../../../workers/exact/defined.ts';

const CHUNK_BITS = 18;
const CHUNK = 2 ** CHUNK_BITS;
const IN_CHUNK = CHUNK - 1;

type Numbers = Int32Array | Uint32Array;

/** A list of numbers that grows by chunks, so that it is never copied and at most one chunk is unused. */
export class Column<T extends Numbers> {
  readonly #chunks: T[] = [];
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
  }

  /** `index` is one of the list, or the next. */
  set(index: number, value: number): void {
    const at = index >>> CHUNK_BITS;
    if (at === this.#chunks.length) this.#chunks.push(this.#make(CHUNK));
    defined(this.#chunks[at])[index & IN_CHUNK] = value;
  }

  at(index: number): number {
    return defined(defined(this.#chunks[index >>> CHUNK_BITS])[index & IN_CHUNK]);
  }
}
