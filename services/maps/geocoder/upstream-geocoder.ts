import type { Address, ZonedAddress } from '../../../workers/geocoding/address/address.ts';
import { runTask } from '../../platform/pools/run-task.ts';
import type { GeocodingPool } from './gazetteer-geocoder.ts';
import type { Geocoder, GeocoderOptions, UpstreamGeocoder } from './geocoder.ts';

/** Completes the results of a provider on the threads of a pool: address lines, codes and time zones. */
export function createUpstreamGeocoder(provider: UpstreamGeocoder, pool: GeocodingPool): Geocoder {
  async function complete(
    addresses: readonly Address[],
    language: string | undefined,
    { atMs, ...options }: GeocoderOptions,
  ): Promise<readonly ZonedAddress[]> {
    if (addresses.length === 0) return [];
    return runTask(pool, { kind: 'complete', addresses, language, atMs }, options);
  }
  return {
    geocode: async (query, options) => complete(await provider.geocode(query, options), query.language, options),
    reverse: async (query, options) => complete(await provider.reverse(query, options), query.language, options),
  };
}
