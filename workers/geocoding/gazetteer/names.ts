import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, lineStarts } from '../columns/columns.ts';

/** The entities with one key. */
export interface Posting {
  /** Index of its first entry in `postings`, and of the first one after it. */
  readonly start: number;
  readonly end: number;
}

/** All names by their keys: see `keyOf`. */
export interface NameTable {
  /** Twice the entity, plus one if the name is the entity's own. Ascending for each key. */
  readonly postings: Uint32Array;
  find(key: string): Posting | undefined;
}

const EMPTY = -1;
const LINE_FEED = 10;
const MAX_KEY_BYTES = 256;

/** Opens the names with a hash table over their keys: open addressing, linear probing, FNV-1a of the UTF-8. */
export function openNames(columns: Columns): NameTable {
  const bytes = columnOf(columns, 'keys', Uint8Array);
  const counts = columnOf(columns, 'counts', Uint16Array);
  const postings = columnOf(columns, 'postings', Uint32Array);
  const starts = lineStarts(bytes);
  const postingStarts = sums(counts);
  const size = 2 ** Math.ceil(Math.log2(counts.length * 1.5));
  const slots = new Int32Array(size).fill(EMPTY);
  for (let row = 0; row < counts.length; row++) {
    let slot = hash(bytes, defined(starts[row]), defined(starts[row + 1]) - 1) & (size - 1);
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (size - 1);
    slots[slot] = row;
  }
  const encoder = new TextEncoder();
  const wanted = new Uint8Array(MAX_KEY_BYTES);

  function rowOf(length: number): number | undefined {
    let slot = hash(wanted, 0, length) & (size - 1);
    for (let row = defined(slots[slot]); row !== EMPTY; row = defined(slots[slot])) {
      if (isAt(defined(starts[row]), length)) return row;
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
      return { start: defined(postingStarts[row]), end: defined(postingStarts[row + 1]) };
    },
  };
}

function sums(counts: Uint16Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let row = 0; row < counts.length; row++) starts[row + 1] = defined(starts[row]) + defined(counts[row]);
  return starts;
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at++) value = Math.imul(value ^ defined(bytes[at]), 0x01000193);
  // The low bits of FNV-1a only depend on the low bits of the input.
  return (value ^ (value >>> 15)) >>> 0;
}
