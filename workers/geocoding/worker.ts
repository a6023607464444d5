import { workerData } from 'node:worker_threads';
import { releaseMemory } from '../thread/release-memory.ts';
import type { WorkerAnswer } from '../thread/worker-answer.ts';
import type { Address, ZonedAddress } from './address/address.ts';
import { AddressSets, type SetFile, type UnreadableSetCode, UnreadableSetError } from './addresses/address-sets.ts';
import { describeFound, describeNear, withNames } from './addresses/describe-address.ts';
import { findAddresses, rankAddresses } from './addresses/find-address.ts';
import { nearestAddress } from './addresses/nearest-address.ts';
import { type GazetteerBlocks, openGazetteer } from './gazetteer/gazetteer.ts';
import { createGeocoding, type ForwardQuery, type ReverseQuery } from './geocoding.ts';

/** `atMs`: the instant of the UTC offsets, in milliseconds since the epoch. */
export type GeocodingTask = { readonly atMs: number } & (
  | { readonly kind: 'geocode'; readonly query: ForwardQuery }
  | { readonly kind: 'reverse'; readonly query: ReverseQuery }
  | { readonly kind: 'address'; readonly sets: readonly SetFile[]; readonly query: ForwardQuery }
  | { readonly kind: 'address-at'; readonly sets: readonly SetFile[]; readonly query: ReverseQuery }
  | { readonly kind: 'complete'; readonly addresses: readonly Address[]; readonly language?: string | undefined }
);

const geocoding = createGeocoding(openGazetteer(blocksOf(workerData)));
const addresses = new AddressSets();
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

/** Most addresses that are compared for ambiguity, however few are requested. */
const MAX_FOUND = 6;

/** Tasks of one caller. */
export interface GeocodingTasks {
  readonly tasks: readonly GeocodingTask[];
}

/** The thread is free for others after this time. A task takes 0.03 to 0.2 ms, and in rare cases some milliseconds. */
const MOST_MS = 4;

/** @returns answers to the first tasks, at least to one: the others are sent again */
export default function run({ tasks }: GeocodingTasks): WorkerAnswer<readonly WorkerAnswer<readonly ZonedAddress[]>[]> {
  const endMs = performance.now() + MOST_MS;
  const answers: WorkerAnswer<readonly ZonedAddress[]>[] = [];
  for (const task of tasks) {
    answers.push(runOne(task));
    if (performance.now() >= endMs) break;
  }
  return { ok: true, value: answers };
}

function runOne(task: GeocodingTask): WorkerAnswer<readonly ZonedAddress[]> {
  try {
    return { ok: true, value: answer(task) };
  } catch (error) {
    if (!(error instanceof UnreadableSetError)) throw error;
    return { ok: false, code: UNREADABLE_SET, message: `${error.index} ${error.message}` };
  }
}

const UNREADABLE_SET: UnreadableSetCode = 'UNREADABLE_SET';

function answer(task: GeocodingTask): readonly ZonedAddress[] {
  switch (task.kind) {
    case 'geocode':
      return geocoding.geocode(task.query, task.atMs);
    case 'reverse':
      return geocoding.reverse(task.query, task.atMs);
    case 'address': {
      const { query, language, limit } = task.query;
      const found = addresses.ask(task.sets, (set) => findAddresses(set, query));
      const best = rankAddresses(found).slice(0, MAX_FOUND);
      return withNames(best, geocoding.complete(describeFound(best), language, task.atMs)).slice(0, limit);
    }
    case 'address-at': {
      const { point, language } = task.query;
      const near = addresses.ask(task.sets, (set) => {
        const found = nearestAddress(set, point);
        return found === undefined ? [] : [found];
      });
      const [nearest] = near.toSorted((a, b) => a.distanceKm - b.distanceKm);
      return nearest === undefined ? [] : geocoding.complete([describeNear(nearest)], language, task.atMs);
    }
    case 'complete':
      return geocoding.complete(task.addresses, task.language, task.atMs);
  }
}
