import { find, setCache } from 'geo-tz/all';
import type { Point } from '../geometry/distance.ts';
import { BoundedMap } from './bounded-map.ts';

/** Most decoded leaves of the boundaries' quadtree that are kept. The largest has about 150 KB of JSON. */
const MAX_LEAVES = 64;

setCache({ store: new BoundedMap<string, unknown>(MAX_LEAVES) });

/** IANA names of the zones at a point: several if zones overlap. At sea, the zone of the meridian, such as Etc/GMT+3. */
export function timeZonesAt({ latitude, longitude }: Point): readonly string[] {
  // All meridians meet at the North Pole, so it has no zone.
  return latitude === 90 ? [] : find(latitude, longitude);
}

/** The zone at a point. Null at the North Pole. */
export function timeZoneAt(point: Point): string | null {
  return timeZonesAt(point)[0] ?? null;
}
