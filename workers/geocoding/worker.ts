import { workerData } from 'node:worker_threads';
import { releaseMemory } from '../thread/release-memory.ts';
import type { WorkerAnswer } from '../thread/worker-answer.ts';
import type { Address, ZonedAddress } from './address/address.ts';
import { type GazetteerBlocks, openGazetteer } from './gazetteer/gazetteer.ts';
import { createGeocoding, type ForwardQuery, type ReverseQuery } from './geocoding.ts';

/** `atMs`: the instant of the UTC offsets, in milliseconds since the epoch. */
export type GeocodingTask = { readonly atMs: number } & (
  | { readonly kind: 'geocode'; readonly query: ForwardQuery }
  | { readonly kind: 'reverse'; readonly query: ReverseQuery }
  | { readonly kind: 'complete'; readonly addresses: readonly Address[]; readonly language?: string | undefined }
);

const geocoding = createGeocoding(openGazetteer(blocksOf(workerData)));
releaseMemory();

/** The tables that the pool shares with its threads. @throws {TypeError} if one is missing */
function blocksOf(data: unknown): GazetteerBlocks {
  const blocks = new Map(typeof data === 'object' && data !== null ? Object.entries(data) : []);
  const blockOf = (name: string): ArrayBufferLike => {
    const block: unknown = blocks.get(name);
    if (block instanceof SharedArrayBuffer || block instanceof ArrayBuffer) return block;
    throw new TypeError(`the worker was started without the table of ${name}`);
  };
  return {
    areas: blockOf('areas'),
    boundaries: blockOf('boundaries'),
    features: blockOf('features'),
    names: blockOf('names'),
    places: blockOf('places'),
    postcodes: blockOf('postcodes'),
    translations: blockOf('translations'),
  };
}

export default function run(task: GeocodingTask): WorkerAnswer<readonly ZonedAddress[]> {
  return { ok: true, value: answer(task) };
}

function answer(task: GeocodingTask): readonly ZonedAddress[] {
  switch (task.kind) {
    case 'geocode':
      return geocoding.geocode(task.query, task.atMs);
    case 'reverse':
      return geocoding.reverse(task.query, task.atMs);
    case 'complete':
      return geocoding.complete(task.addresses, task.language, task.atMs);
  }
}
