import { defined } from '../../exact/defined.ts';

/** One column of a table: one entry per row. For text: the UTF-8 of all rows, each with a line feed at its end. */
export type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array;
export type Columns = Readonly<Record<string, Column>>;

type ColumnType = new (block: ArrayBufferLike, start: number, length: number) => Column;

const TYPES = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array } satisfies Record<
  string,
  ColumnType
>;
type TypeName = keyof typeof TYPES;

interface ColumnHeader {
  readonly name: string;
  readonly type: TypeName;
  readonly length: number;
}

const ALIGNMENT_BYTES = 8;

/**
 * Encodes a table as one block: the length of its header (u32), the header in JSON, then the columns, each at a multiple of
 * eight bytes. Numbers are little-endian. Decoding only makes views, so the block may be shared memory.
 */
export function encodeColumns(columns: Columns): Uint8Array {
  const headers = Object.entries(columns).map(([name, column]): ColumnHeader => {
    return { name, type: typeOf(column), length: column.length };
  });
  const header = new TextEncoder().encode(JSON.stringify(headers));
  const parts = Object.values(columns);
  let sizeBytes = aligned(4 + header.length);
  const starts = parts.map((part) => {
    const start = sizeBytes;
    sizeBytes = aligned(start + part.byteLength);
    return start;
  });
  const block = new Uint8Array(sizeBytes);
  new DataView(block.buffer).setUint32(0, header.length, true);
  block.set(header, 4);
  for (const [index, part] of parts.entries()) {
    block.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), defined(starts[index]));
  }
  return block;
}

/** @throws {TypeError} if the block is not a table */
export function decodeColumns(block: ArrayBufferLike): Columns {
  const headerLength = new DataView(block).getUint32(0, true);
  // A copy, because a decoder does not accept shared memory.
  const header = new TextDecoder().decode(new Uint8Array(block, 4, headerLength).slice());
  const headers: unknown = JSON.parse(header);
  if (!Array.isArray(headers) || !headers.every(isHeader)) throw new TypeError('the header of the table is malformed');
  const columns: Record<string, Column> = {};
  let start = aligned(4 + headerLength);
  for (const { name, type, length } of headers) {
    const Type: ColumnType = TYPES[type];
    const column = new Type(block, start, length);
    columns[name] = column;
    start = aligned(start + column.byteLength);
  }
  return columns;
}

function isHeader(json: unknown): json is ColumnHeader {
  if (typeof json !== 'object' || json === null || !('name' in json && 'type' in json && 'length' in json))
    return false;
  const { name, type, length } = json;
  return (
    typeof name === 'string' && typeof type === 'string' && Object.hasOwn(TYPES, type) && Number.isSafeInteger(length)
  );
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

function typeOf(column: Column): TypeName {
  for (const name of ['u8', 'u16', 'i32', 'u32'] as const) if (column instanceof TYPES[name]) return name;
  throw new TypeError('the column has an unknown type');
}

/** The column of a name and a type. @throws {TypeError} if there is none: the data file is of another version */
export function columnOf<T extends Column>(columns: Columns, name: string, Type: new (length: number) => T): T {
  const column = columns[name];
  if (column instanceof Type) return column;
  throw new TypeError(`the data has no column ${name} of ${Type.name}`);
}

export function encodeLines(rows: readonly string[]): Uint8Array {
  return new TextEncoder().encode(rows.map((row) => `${row}\n`).join(''));
}

/** The rows of a text column. */
export interface Lines {
  readonly count: number;
  /** @throws {TypeError} if there is no such row */
  at(row: number): string;
}

const LINE_FEED = 10;

export function readLines(bytes: Uint8Array): Lines {
  const starts = lineStarts(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    count: starts.length - 1,
    at: (row) => buffer.toString('utf8', defined(starts[row]), defined(starts[row + 1]) - 1),
  };
}

/** The index of the first byte of each row, then the number of bytes. */
export function lineStarts(bytes: Uint8Array): Uint32Array {
  // Most rows are so short that a loop over the bytes takes half as long as calls of `indexOf`.
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) count++;
  const starts = new Uint32Array(count + 1);
  let row = 1;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts[row++] = at + 1;
  return starts;
}
