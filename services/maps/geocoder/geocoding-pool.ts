import type { ZonedAddress } from '../../../workers/geocoding/address/address.ts';
import type { GeocodingTasks } from '../../../workers/geocoding/worker.ts';
import { createGatheringPool, type GatheredAnswers } from '../../platform/pools/gathering-pool.ts';
import { createPool } from '../../platform/pools/pool.ts';
import type { GeocodingPool } from './gazetteer-geocoder.ts';

export interface GeocodingPoolOptions {
  /** One for each core by default. */
  readonly threads?: number;
  /** Maximum of calls that wait for a thread; more are refused. */
  readonly maxQueue?: number;
  /** The tables of the gazetteer. */
  readonly workerData?: unknown;
  /** Another worker's module, for tests. */
  readonly worker?: URL;
}

/** More tasks would not make a message between threads cheaper for each of them. */
const MAX_TASKS = 128;
/** Single queries before a turn of the streams: together they take some times as long as the turn. */
const LONGEST_RUN = 256;
/** A thread needs a quarter of a second to start again, and hardly a query takes as long. */
const GRACE_MS = 250;
const MEMORY_MB = 384;

/** The threads that geocode. Queries of a stream are run together. */
export function createGeocodingPool({
  worker = new URL('../../../workers/geocoding/worker.ts', import.meta.url),
  maxQueue = 256,
  ...options
}: GeocodingPoolOptions): GeocodingPool {
  const pool = createPool<GeocodingTasks, GatheredAnswers<readonly ZonedAddress[]>>({
    ...options,
    worker,
    graceMs: GRACE_MS,
    memoryMb: MEMORY_MB,
  });
  const gathering = createGatheringPool(pool, { maxQueue, maxTasks: MAX_TASKS, longestRun: LONGEST_RUN });
  return { run: gathering.run, threads: pool.threads, close: pool.close };
}
