import { defined } from '../../../../workers/exact/defined.ts';
import type { Arcs } from '../../../../workers/geocoding/boundaries/arcs.ts';
import type { Boundaries } from '../../../../workers/geocoding/boundaries/boundaries.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import type { Areas } from '../sources/areas.ts';
import type { GeoNamesPlace } from '../sources/place.ts';
import { countryAbove } from './assign.ts';
import { type Point, poleOf } from './pole.ts';

/** A place this many times as far from the pole as the border is on another island, or in another part. */
const FAR = 12;

export interface PointSources {
  readonly arcs: Arcs;
  readonly areas: Areas;
  readonly places: readonly GeoNamesPlace[];
  readonly boundaries: Boundaries;
}

/**
 * Finds a representative point for each country and first-level division. It is far inside the borders, or the most
 * populous place if the borders are not known, or that place is on another island.
 */
export function pointsOf({ arcs, areas, places, boundaries }: PointSources): ReadonlyMap<number, Point> {
  const arcsOf = new Map<number, number[]>();
  const note = (area: number, arc: number) => {
    const own = arcsOf.get(area);
    if (own === undefined) arcsOf.set(area, [arc]);
    else if (own.at(-1) !== arc) own.push(arc);
  };
  for (const [arc, left] of arcs.left.entries()) {
    for (const area of [left - 1, defined(arcs.right[arc]) - 1]) {
      if (area < 0) continue;
      note(area, arc);
      note(areas.list[area]?.parent ?? area, arc);
    }
  }
  const points = new Map<number, Point>();
  const largest = largestPlaces(areas, places);
  for (const [area, own] of arcsOf) {
    const inside = (label: number) => label - 1 === area || (label > 0 && areas.list[label - 1]?.parent === area);
    const pole = poleOf(arcs, own, inside);
    if (pole === undefined) continue;
    const town = largest.get(area);
    // On an island where next to nobody of the area lives: Iriomote in Okinawa.
    if (town !== undefined && distanceKm(town, pole) > pole.km * FAR) continue;
    // The borders of small countries are rough here, so the point may be outside the country in the precise borders.
    const holder = boundaries.areaAt(pole.latitude, pole.longitude);
    if (holder !== undefined && countryAbove(areas, holder) === countryAbove(areas, area)) points.set(area, pole);
  }
  for (const [area, place] of largest) if (!points.has(area)) points.set(area, place);
  return new Map([...points].map(([area, { latitude, longitude }]) => [area, { latitude, longitude }]));
}

/** The most populous place of each country and first-level division. The most populous places come first. */
function largestPlaces(areas: Areas, places: readonly GeoNamesPlace[]): ReadonlyMap<number, GeoNamesPlace> {
  const largest = new Map<number, GeoNamesPlace>();
  for (const place of places) {
    for (let area = areas.of(place); ; area = areas.list[area]?.parent ?? area) {
      const { level, parent } = areas.list[area] ?? { level: 0, parent: area };
      if (level < 2 && !largest.has(area)) largest.set(area, place);
      if (parent === area) break;
    }
  }
  return largest;
}
