import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf } from '../columns/columns.ts';

/** Units of coordinates: 1e-4 degrees, at most 11 m. */
export const UNITS_PER_DEGREE = 10_000;
/** The area beyond an outer border: the sea. Areas are stored plus one, so that 0 is free for it. */
export const NO_AREA = 0;

/**
 * Borders between two areas, or between an area and the sea. Each is stored once. An arc runs from its first point to the
 * point before the first one of the next arc. `left` and `right` are the areas on its sides, in its direction, plus one.
 */
export interface Arcs {
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Index of the first point of each arc, then the number of points. */
  readonly starts: Uint32Array;
  readonly left: Uint16Array;
  readonly right: Uint16Array;
}

/**
 * Encodes arcs in columns whose names begin with the prefix. A point is stored as the difference from the point before it,
 * also across arcs, in a variable number of bytes: seven bits per byte, the lowest first, and the sign in the lowest bit.
 * Compressed, this takes a quarter of the size of absolute coordinates.
 */
export function encodeArcs({ x, y, starts, left, right }: Arcs, prefix: string): Columns {
  return {
    [`${prefix}x`]: encodeDifferences(x),
    [`${prefix}y`]: encodeDifferences(y),
    [`${prefix}lengths`]: Uint16Array.from(left, (_, arc) => defined(starts[arc + 1]) - defined(starts[arc])),
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
      byte = defined(bytes[at++]);
      rest |= (byte & 0x7f) << shift;
    }
    value += (rest >>> 1) ^ -(rest & 1);
    values[row] = value;
  }
  return values;
}
