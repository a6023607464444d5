import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { GazetteerBlocks } from '../../workers/geocoding/gazetteer/gazetteer.ts';

const TABLES: readonly (keyof GazetteerBlocks)[] = ['areas', 'places', 'names', 'translations', 'postcodes'];
const DATA = new URL('../../workers/geocoding/data/', import.meta.url);

/** Unpacks the gazetteer into memory that all threads share. */
export async function readGazetteer(): Promise<GazetteerBlocks> {
  const blocks = await Promise.all(TABLES.map(async (table) => [table, await readTable(table)] as const));
  return Object.fromEntries(blocks) as GazetteerBlocks;
}

async function readTable(table: string): Promise<SharedArrayBuffer> {
  const bytes = await promisify(zstdDecompress)(await readFile(new URL(`${table}.zst`, DATA)));
  const block = new SharedArrayBuffer(bytes.length);
  new Uint8Array(block).set(bytes);
  return block;
}
