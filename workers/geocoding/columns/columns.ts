/** One column of a table: an entry a row, or for text the rows' UTF-8, each ended by a line feed. */
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
 * A table as one block: the length of its header (u32), the header in JSON, then the columns, each at a multiple of
 * eight bytes. Numbers are little-endian. Decoding makes views, so the block may be memory that threads share.
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
    block.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), starts[index]);
  }
  return block;
}

export function decodeColumns(block: ArrayBufferLike): Columns {
  const headerLength = new DataView(block).getUint32(0, true);
  // A decoder takes no shared memory.
  const header = new TextDecoder().decode(new Uint8Array(block, 4, headerLength).slice());
  const columns: Record<string, Column> = {};
  let start = aligned(4 + headerLength);
  for (const { name, type, length } of JSON.parse(header) as readonly ColumnHeader[]) {
    const Type: ColumnType = TYPES[type];
    const column = new Type(block, start, length);
    columns[name] = column;
    start = aligned(start + column.byteLength);
  }
  return columns;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

function typeOf(column: Column): TypeName {
  for (const [name, Type] of Object.entries(TYPES)) if (column instanceof Type) return name as TypeName;
  throw new TypeError('no such column type');
}

/** The column of a type, or an error that names it: a data file of another version. */
export function columnOf<T extends Column>(columns: Columns, name: string, Type: new (length: number) => T): T {
  const column = columns[name];
  if (column instanceof Type) return column;
  throw new TypeError(`the data has no column ${name} of ${Type.name}`);
}

export function encodeLines(rows: readonly string[]): Uint8Array {
  return new TextEncoder().encode(rows.map((row) => `${row}\n`).join(''));
}

/** Text of a text column, by row. */
export interface Lines {
  readonly count: number;
  at(row: number): string;
}

const LINE_FEED = 10;

export function readLines(bytes: Uint8Array): Lines {
  const starts = lineStarts(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    count: starts.length - 1,
    at: (row) => {
      const start = starts[row];
      const next = starts[row + 1];
      return start === undefined || next === undefined ? '' : buffer.toString('utf8', start, next - 1);
    },
  };
}

/** Where each row starts, and where one after the last would. */
export function lineStarts(bytes: Uint8Array): Uint32Array {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  const starts = new Uint32Array(count + 1);
  let row = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) starts[row++] = at + 1;
  return starts;
}
