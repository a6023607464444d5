import { runTask } from '../../platform/pools/run-task.ts';
import type { GeocodingPool } from './gazetteer-geocoder.ts';
import type { Geocoder } from './geocoder.ts';

/**
 * Own addresses first, and `next` for what they do not have. An unsure own address comes after the answers of `next`, because
 * the name of a town is often that of a street too.
 */
export function createPlacesGeocoder(pool: GeocodingPool, next: Geocoder): Geocoder {
  return {
    geocode: async (query, context) => {
      const { atMs, ...options } = context;
      const own = await runTask(pool, { kind: 'address', query, atMs }, options);
      if (own.some(({ confidence }) => confidence !== 'Low')) return own;
      const others = await next.geocode(query, context);
      return [...others, ...own].slice(0, query.limit);
    },
    reverse: async (query, context) => {
      const { atMs, ...options } = context;
      const own = await runTask(pool, { kind: 'address-at', query, atMs }, options);
      return own.length > 0 ? own : next.reverse(query, context);
    },
  };
}
