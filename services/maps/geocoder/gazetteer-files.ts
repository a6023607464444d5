import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { GazetteerBlocks } from '../../../workers/geocoding/gazetteer/gazetteer.ts';

const DATA = new URL('../../../workers/geocoding/data/', import.meta.url);

/** Decompresses the gazetteer into memory that all threads share. */
export async function readGazetteer(): Promise<GazetteerBlocks> {
  const [areas, boundaries, names, places, postcodes, translations] = await Promise.all([
    readTable('areas'),
    readTable('boundaries'),
    readTable('names'),
    readTable('places'),
    readTable('postcodes'),
    readTable('translations'),
  ]);
  return { areas, boundaries, names, places, postcodes, translations };
}

async function readTable(table: keyof GazetteerBlocks): Promise<SharedArrayBuffer> {
  const bytes = await promisify(zstdDecompress)(await readFile(new URL(`${table}.zst`, DATA)));
  const block = new SharedArrayBuffer(bytes.length);
  new Uint8Array(block).set(bytes);
  return block;
}
