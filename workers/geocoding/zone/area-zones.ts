import { defined } from '../../exact/defined.ts';
import type { AreaTable } from '../gazetteer/areas.ts';
import { FEATURES, type PlaceTable } from '../gazetteer/places.ts';
import { BoundedMap } from './bounded-map.ts';
import { utcOffsetAt } from './utc-offset.ts';

/** The zone of nearly all people in an area. Null if there is none, undefined if the area has no known place. */
export type AreaZones = (area: number, atMs: number) => string | null | undefined;

const LEAST_SHARE = 0.95;
/** What each place counts besides its people: they decide where nobody lives. */
const PLACE_WEIGHT = 1e-6;
/** Nobody lives in Antarctica, and its stations keep the times of many countries. */
const STATIONS = 'AQ';
/** The capitals of a country, a first-level and a second-level division. */
const CAPITALS = (['PPLC', 'PPLA', 'PPLA2'] as const).map((feature) => FEATURES.indexOf(feature));

/** Sums the people in each zone of each area. */
export function createAreaZones({ level, parent, codes, count }: AreaTable, places: PlaceTable): AreaZones {
  const weights = Array.from({ length: count }, () => new Map<number, number>());
  const capitals = new Map<number, number>();
  for (let place = 0; place < places.count; place++) {
    const feature = defined(places.feature[place]);
    const zone = defined(places.zone[place]);
    const weight = PLACE_WEIGHT + defined(places.population[place]);
    let area = defined(places.area[place]);
    for (;;) {
      const zones = defined(weights[area]);
      zones.set(zone, (zones.get(zone) ?? 0) + weight);
      if (CAPITALS[defined(level[area])] === feature && !capitals.has(area)) capitals.set(area, zone);
      const holder = defined(parent[area]);
      if (holder === area) break;
      area = holder;
    }
  }
  return (area, atMs) => {
    const zones = defined(weights[area]);
    if (zones.size === 0) return undefined;
    if (codes.at(area) === STATIONS && level[area] === 0) return null;
    const capital = capitals.get(area);
    // The first zone of a group gives its name.
    const ranked = [...zones].toSorted(([a, x], [b, y]) => Number(b === capital) - Number(a === capital) || y - x);
    const groups = new Map<string, { readonly zone: string; weight: number }>();
    let total = 0;
    for (const [row, weight] of ranked) {
      const zone = places.zones.at(row);
      const offsets = zones.size === 1 ? '' : offsetsOf(zone, atMs);
      const group = groups.get(offsets) ?? { zone, weight: 0 };
      group.weight += weight;
      groups.set(offsets, group);
      total += weight;
    }
    return [...groups.values()].find(({ weight }) => weight >= total * LEAST_SHARE)?.zone ?? null;
  };
}

const WEEKS = 53;
const WEEK_MS = 7 * 24 * 3600 * 1000;
const MAX_KEPT = 1000;
const kept = new BoundedMap<string, string>(MAX_KEPT);

/** The offsets of a zone in each week of the year of an instant. */
function offsetsOf(zone: string, atMs: number): string {
  const year = new Date(atMs).getUTCFullYear();
  return kept.getOrMake(`${year} ${zone}`, () => {
    const startMs = Date.UTC(year, 0, 1);
    return Array.from({ length: WEEKS }, (_, week) => utcOffsetAt(zone, startMs + week * WEEK_MS)).join();
  });
}
