import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { GazetteerBlocks } from '../../../workers/geocoding/gazetteer/gazetteer.ts';

const DATA = new URL('../../../workers/geocoding/data/', import.meta.url);

/** Tables have 1 to 15 MB. With the default of 16 KB, calls and copies would take half of the time. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Decompresses the gazetteer into memory that all threads share. */
export async function readGazetteer(): Promise<GazetteerBlocks> {
  const [areas, boundaries, features, names, places, postcodes, translations] = await Promise.all([
    readTable('areas'),
    readTable('boundaries'),
    readTable('features'),
    readTable('names'),
    readTable('places'),
    readTable('postcodes'),
    readTable('translations'),
  ]);
  return { areas, boundaries, features, names, places, postcodes, translations };
}

async function readTable(table: keyof GazetteerBlocks): Promise<SharedArrayBuffer> {
  const compressed = await readFile(new URL(`${table}.zst`, DATA));
  const bytes = await promisify(zstdDecompress)(compressed, { chunkSize: CHUNK_BYTES });
  const block = new SharedArrayBuffer(bytes.length);
  new Uint8Array(block).set(bytes);
  return block;
}
