import { workerData } from 'node:worker_threads';
import type { WorkerAnswer } from '../pool.ts';
import type { Address, ZonedAddress } from './address.ts';
import { type GazetteerBlocks, openGazetteer } from './gazetteer/gazetteer.ts';
import { type ForwardQuery, geocode } from './geocoding.ts';
import type { Point } from './geometry/distance.ts';

/** `atMs`: the instant that UTC offsets apply at, in milliseconds since the epoch. */
export type GeocodingTask = { readonly atMs: number } & (
  | { readonly kind: 'geocode'; readonly query: ForwardQuery }
  | { readonly kind: 'reverse'; readonly query: { readonly point: Point; readonly language?: string | undefined } }
  | { readonly kind: 'complete'; readonly addresses: readonly Address[]; readonly language?: string | undefined }
);

const gazetteer = openGazetteer(workerData as GazetteerBlocks);

export default function run(task: GeocodingTask): WorkerAnswer<readonly ZonedAddress[]> {
  return { ok: true, value: answer(task) };
}

function answer(task: GeocodingTask): readonly ZonedAddress[] {
  switch (task.kind) {
    case 'geocode':
      return geocode(gazetteer, task.query, task.atMs);
    case 'reverse':
      return [];
    case 'complete':
      return task.addresses.map((address) => ({ ...address, timeZone: null, utcOffset: null }));
  }
}
