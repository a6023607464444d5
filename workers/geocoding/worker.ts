import { workerData } from 'node:worker_threads';
import type { WorkerAnswer } from '../thread/worker-answer.ts';
import type { Address, ZonedAddress } from './address/address.ts';
import { type GazetteerBlocks, openGazetteer } from './gazetteer/gazetteer.ts';
import { createGeocoding, type ForwardQuery, type ReverseQuery } from './geocoding.ts';

/** `atMs`: the instant that UTC offsets apply at, in milliseconds since the epoch. */
export type GeocodingTask = { readonly atMs: number } & (
  | { readonly kind: 'geocode'; readonly query: ForwardQuery }
  | { readonly kind: 'reverse'; readonly query: ReverseQuery }
  | { readonly kind: 'complete'; readonly addresses: readonly Address[]; readonly language?: string | undefined }
);

const geocoding = createGeocoding(openGazetteer(workerData as GazetteerBlocks));

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
