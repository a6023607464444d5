import { type Columns, columnOf } from '../columns/columns.ts';

/** Coordinates are counted in these: 1e-4 degrees, 11 m at most. */
export const UNITS_PER_DEGREE = 10_000;
/** What is beyond an outer border: the sea. Areas are stored one up to leave room for it. */
export const NO_AREA = 0;

/**
 * Borders, each drawn once: between two areas, or an area and the sea. An arc runs from its first point to the one
 * before the next arc's first; `left` and `right` are the areas beside it, in its direction, plus one.
 */
export interface Arcs {
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** First point of every arc, and where one after the last would begin. */
  readonly starts: Uint32Array;
  readonly left: Uint16Array;
  readonly right: Uint16Array;
}

/**
 * Columns named with the prefix. Points as differences from the one before, across arcs as well, of varying length: seven bits a byte, the lowest
 * first, the sign in the lowest bit. A quarter of what absolute coordinates take once compressed.
 */
export function encodeArcs({ x, y, starts, left, right }: Arcs, prefix: string): Columns {
  return {
    [`${prefix}x`]: encodeDifferences(x),
    [`${prefix}y`]: encodeDifferences(y),
    [`${prefix}lengths`]: Uint16Array.from(left, (_, arc) => (starts[arc + 1] ?? 0) - (starts[arc] ?? 0)),
    [`${prefix}left`]: left,
    [`${prefix}right`]: right,
  };
}

export function decodeArcs(columns: Columns, prefix: string): Arcs {
  const lengths = columnOf(columns, `${prefix}lengths`, Uint16Array);
  const starts = new Uint32Array(lengths.length + 1);
  let count = 0;
  for (const [arc, length] of lengths.entries()) {
    count += length;
    starts[arc + 1] = count;
  }
  return {
    x: decodeDifferences(columnOf(columns, `${prefix}x`, Uint8Array), count),
    y: decodeDifferences(columnOf(columns, `${prefix}y`, Uint8Array), count),
    starts,
    left: columnOf(columns, `${prefix}left`, Uint16Array),
    right: columnOf(columns, `${prefix}right`, Uint16Array),
  };
}

function encodeDifferences(values: Int32Array): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const value of values) {
    const difference = value - before;
    let rest = ((difference << 1) ^ (difference >> 31)) >>> 0;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
    before = value;
  }
  return Uint8Array.from(bytes);
}

function decodeDifferences(bytes: Uint8Array, count: number): Int32Array {
  const values = new Int32Array(count);
  let at = 0;
  let value = 0;
  for (let row = 0; row < count; row++) {
    let rest = 0;
    let byte = 0x80;
    for (let shift = 0; byte > 0x7f; shift += 7) {
      // Past the end, zero ends the number.
      byte = bytes[at++] ?? 0;
      rest |= (byte & 0x7f) << shift;
    }
    value += (rest >>> 1) ^ -(rest & 1);
    values[row] = value;
  }
  return values;
}
