import { find, setCache } from 'geo-tz/all';
import { BoundedMap } from '../bounded-map.ts';
import type { Point } from '../geometry/distance.ts';

/** Leaves of the boundaries' quadtree that are kept decoded; the largest is some 150 KB of JSON. */
const MAX_LEAVES = 64;

setCache({ store: new BoundedMap<string, unknown>(MAX_LEAVES) });

/** IANA name of the zone at a point; at sea that of its meridian, such as Etc/GMT+3, and none at the North Pole. */
export function timeZoneAt({ latitude, longitude }: Point): string | null {
  const zones = find(latitude, longitude);
  // Where every meridian meets there is no zone; where two claims meet the first is the one that lives by the clock.
  return latitude === 90 ? null : (zones[0] ?? null);
}
