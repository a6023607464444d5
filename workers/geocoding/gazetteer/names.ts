import { type Columns, columnOf, lineStarts } from '../columns/columns.ts';

/** Entities that go by one key. */
export interface Posting {
  /** Where in `postings` it begins, and where the next one does. */
  readonly start: number;
  readonly end: number;
}

/** Every name by its key: see `keyOf`. */
export interface NameTable {
  /** Twice the entity, and one more where the name is the entity's own; ascending. */
  readonly postings: Uint32Array;
  find(key: string): Posting | undefined;
}

const EMPTY = -1;
const LINE_FEED = 10;
const MAX_KEY_BYTES = 256;

/** Opens the sorted keys with a hash table over them: open addressing, linear probing, FNV-1a of the UTF-8. */
export function openNames(columns: Columns): NameTable {
  const bytes = columnOf(columns, 'keys', Uint8Array);
  const counts = columnOf(columns, 'counts', Uint16Array);
  const postings = columnOf(columns, 'postings', Uint32Array);
  const starts = lineStarts(bytes);
  const postingStarts = sums(counts);
  const size = 2 ** Math.ceil(Math.log2(counts.length * 1.5));
  const slots = new Int32Array(size).fill(EMPTY);
  for (let row = 0; row < counts.length; row++) {
    let slot = hash(bytes, starts[row] ?? 0, (starts[row + 1] ?? 1) - 1) & (size - 1);
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (size - 1);
    slots[slot] = row;
  }
  const encoder = new TextEncoder();
  const wanted = new Uint8Array(MAX_KEY_BYTES);

  function rowOf(length: number): number | undefined {
    let slot = hash(wanted, 0, length) & (size - 1);
    for (let row = slots[slot] ?? EMPTY; row !== EMPTY; row = slots[slot] ?? EMPTY) {
      if (isAt(starts[row] ?? 0, length)) return row;
      slot = (slot + 1) & (size - 1);
    }
    return undefined;
  }

  function isAt(start: number, length: number): boolean {
    if (bytes[start + length] !== LINE_FEED) return false;
    for (let index = 0; index < length; index++) if (bytes[start + index] !== wanted[index]) return false;
    return true;
  }

  return {
    postings,
    find(key) {
      const { read, written } = encoder.encodeInto(key, wanted);
      const row = read === key.length && written > 0 ? rowOf(written) : undefined;
      if (row === undefined) return undefined;
      return { start: postingStarts[row] ?? 0, end: postingStarts[row + 1] ?? 0 };
    },
  };
}

function sums(counts: Uint16Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let row = 0; row < counts.length; row++) starts[row + 1] = (starts[row] ?? 0) + (counts[row] ?? 0);
  return starts;
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at++) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  // The low bits of FNV-1a depend on the low bits of the input alone.
  return (value ^ (value >>> 15)) >>> 0;
}
