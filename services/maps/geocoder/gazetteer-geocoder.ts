import type { ZonedAddress } from '../../../workers/geocoding/address/address.ts';
import type { GeocodingTask } from '../../../workers/geocoding/worker.ts';
import type { Pool } from '../../platform/pools/pool.ts';
import { runTask } from '../../platform/pools/run-task.ts';
import type { Geocoder } from './geocoder.ts';

/** The threads that geocode: `createGeocodingPool`. */
export type GeocodingPool = Pick<Pool<GeocodingTask, readonly ZonedAddress[]>, 'run' | 'threads' | 'close'>;

/** The embedded gazetteer, on the threads of a pool. */
export function createGazetteerGeocoder(pool: GeocodingPool): Geocoder {
  return {
    geocode: (query, { atMs, ...options }) => runTask(pool, { kind: 'geocode', query, atMs }, options),
    reverse: (query, { atMs, ...options }) => runTask(pool, { kind: 'reverse', query, atMs }, options),
  };
}
