import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ImportError } from '../sources/address-row.ts';

/** What the format allows (https://wiki.openstreetmap.org/wiki/PBF_Format). */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BLOB_BYTES = 32 * 1024 * 1024;
/** A file with another feature has data that this reader would misread. */
const FEATURES: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes']);
const COMPRESSIONS: ReadonlyMap<number, string> = new Map([
  [4, 'lzma'],
  [5, 'bzip2'],
  [6, 'lz4'],
  [7, 'zstd'],
]);

/** A file in OpenStreetMap's PBF format. Its data are in blocks, each of which can be read alone. */
export interface PbfFile {
  /** The number of data blocks. */
  readonly count: number;
  /** The uncompressed bytes of a data block, a PrimitiveBlock. @throws {ImportError} */
  read(block: number): Uint8Array;
  /** An error that names the block. The header is block 0, the first data block is block 1. */
  errorAt(block: number, message: string): ImportError;
  close(): void;
}

interface Blob {
  readonly start: number;
  readonly sizeBytes: number;
}

/** Opens a file and finds its blocks. @throws {ImportError} if it is cut or is not in the format */
export function openPbf(file: string): PbfFile {
  const descriptor = openSync(file, 'r');
  try {
    const bytesAt = (start: number, sizeBytes: number, what: string) => {
      const bytes = new Uint8Array(sizeBytes);
      let length = 0;
      while (length < sizeBytes) {
        const read = readSync(descriptor, bytes, length, sizeBytes - length, start + length);
        if (read === 0) throw new ImportError(file, what, 'the file is cut');
        length += read;
      }
      return bytes;
    };
    const { header, data } = findBlobs(file, fstatSync(descriptor).size, bytesAt);
    const contentOf = ({ start, sizeBytes }: Blob, what: string) =>
      decode(file, what, () => uncompressed(bytesAt(start, sizeBytes, what)));
    checkFeatures(file, contentOf(header, nameOf(0)));
    return {
      count: data.length,
      read: (block) => {
        const blob = data[block];
        if (blob === undefined) throw new RangeError(`${file} has no block ${block}`);
        return contentOf(blob, nameOf(block + 1));
      },
      errorAt: (block, message) => new ImportError(file, nameOf(block + 1), message),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function nameOf(block: number): string {
  return `block ${block}`;
}

/** Where the blobs are. Only their headers are read. */
function findBlobs(
  file: string,
  fileBytes: number,
  bytesAt: (start: number, sizeBytes: number, what: string) => Uint8Array,
): { readonly header: Blob; readonly data: readonly Blob[] } {
  let header: Blob | undefined;
  const data: Blob[] = [];
  for (let at = 0; at < fileBytes; ) {
    const what = nameOf(header === undefined ? 0 : data.length + 1);
    const headerBytes = new DataView(bytesAt(at, 4, what).buffer).getUint32(0);
    // The first bytes of any other format are a length that is too large.
    if (headerBytes > MAX_HEADER_BYTES) throw new ImportError(file, what, notPbf(header !== undefined, headerBytes));
    const { type, sizeBytes } = decode(file, what, () => readHeader(bytesAt(at + 4, headerBytes, what)));
    if (sizeBytes > MAX_BLOB_BYTES) {
      throw new ImportError(file, what, `it has ${sizeBytes} bytes, and a block has at most ${MAX_BLOB_BYTES}`);
    }
    const blob = { start: at + 4 + headerBytes, sizeBytes };
    if (blob.start + sizeBytes > fileBytes) throw new ImportError(file, what, 'the file is cut');
    if (header === undefined && type !== 'OSMHeader') throw new ImportError(file, what, notPbf(false, headerBytes));
    if (header === undefined) header = blob;
    // Blocks of other types are to be skipped.
    else if (type === 'OSMData') data.push(blob);
    at = blob.start + sizeBytes;
  }
  if (header === undefined) throw new ImportError(file, 1, 'the file is empty');
  return { header, data };
}

function notPbf(isLater: boolean, headerBytes: number): string {
  return isLater
    ? `the length of its header is ${headerBytes} bytes, and a header has at most ${MAX_HEADER_BYTES}`
    : 'the file does not begin with the header of an OSM PBF file';
}

function readHeader(bytes: Uint8Array): { readonly type: string; readonly sizeBytes: number } {
  const reader = new BinaryReader(bytes);
  let type = '';
  let sizeBytes = 0;
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) type = reader.string();
    else if (field === 3) sizeBytes = reader.uint32();
    else reader.skip(wire, field);
  }
  return { type, sizeBytes };
}

function uncompressed(blob: Uint8Array): Uint8Array {
  const reader = new BinaryReader(blob);
  let content: Uint8Array | undefined;
  let rawBytes: number | undefined;
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    const compression = COMPRESSIONS.get(field);
    if (field === 1) content = reader.bytes();
    else if (field === 2) rawBytes = reader.uint32();
    else if (field === 3) content = inflate(reader.bytes());
    else if (compression !== undefined && wire === WireType.LengthDelimited) {
      throw new Error(`it is compressed with ${compression}; zlib and no compression can be read`);
    } else reader.skip(wire, field);
  }
  if (content === undefined) throw new Error('it has no data');
  if (rawBytes !== undefined && rawBytes !== content.length) {
    throw new Error(`it has ${content.length} bytes, and should have ${rawBytes}`);
  }
  return content;
}

function inflate(compressed: Uint8Array): Uint8Array {
  try {
    return inflateSync(compressed, { maxOutputLength: MAX_BLOB_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooLarge) throw error;
    throw new Error(`it has more than ${MAX_BLOB_BYTES} bytes when it is uncompressed`);
  }
}

function checkFeatures(file: string, header: Uint8Array): void {
  const missing = decode(file, nameOf(0), () => {
    const reader = new BinaryReader(header);
    const required: string[] = [];
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === 4) required.push(reader.string());
      else reader.skip(wire, field);
    }
    return required.filter((feature) => !FEATURES.has(feature));
  });
  if (missing.length === 0) return;
  throw new ImportError(file, nameOf(0), `the file needs ${missing.join(', ').slice(0, 200)}, which cannot be read`);
}

function decode<T>(file: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(file, what, error instanceof Error ? error.message : String(error));
  }
}
