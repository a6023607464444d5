import type { Boundaries } from '../boundaries/boundaries.ts';
import { type AreaTable, holderOf } from '../gazetteer/areas.ts';
import { FEATURES, type PlaceTable } from '../gazetteer/places.ts';
import type { Point } from '../geometry/distance.ts';
import { createNearest, type NearPlace } from './nearest.ts';

export interface ReverseAnswer {
  /** The place that the point belongs to; undefined where none is near. */
  readonly place: number | undefined;
  /** The division of the first level that holds the point, or the country where none is known. */
  readonly area: number;
  /** To the place, 0 without one. */
  readonly distanceKm: number;
}

export interface ReverseOptions {
  readonly boundaries: Boundaries;
  readonly places: Pick<PlaceTable, 'count' | 'latitudeE5' | 'longitudeE5' | 'population' | 'area' | 'feature'>;
  readonly areas: AreaTable;
  /** The country whose time a point keeps; see `createZoneCountries`. */
  readonly countryByZone: (point: Point) => number | undefined;
}

/** Enough for the metropolis to be among them in its suburbs. */
const CANDIDATES = 30;
/** A place farther away says nothing about a point, but for the division it lies in. */
const PLACE_KM = 30;
const DIVISION_KM = 60;
/** How far off the drawn coast a point still belongs to the land: piers, harbours, and what the drawing is off. */
const COAST_KM = 3;
/** Islands too small for the polygons are found by their places. */
const ISLAND_KM = 10;
/** Within this, a place on the other side of a drawn border is believed rather than the border. */
const ENCLAVE_KM = 0.3;
/** How far our borders of countries are off, at most: within this, the time that a point keeps is believed. */
const BORDER_KM = 2;
/** A place of a million reaches three times as far as one of a thousand. */
const REACH = 0.15;
const SMALLEST = 300;

const SECTION = FEATURES.indexOf('PPLX');

/** Names points: by the area that holds them, then by the best place in it. */
export function createReverse({ boundaries, places, areas, countryByZone }: ReverseOptions) {
  const rows = Uint32Array.from({ length: places.count }, (_, row) => row).filter(
    (row) => places.feature[row] !== SECTION,
  );
  const nearest = createNearest(places, rows);
  const firstLevel = Uint16Array.from(places.area, (area) => holderOf(areas, area, 1) ?? area);
  const country = Uint16Array.from(places.area, (area) => holderOf(areas, area, 0) ?? area);
  const drawn = new Int32Array(places.count).fill(UNKNOWN);

  /** Where the borders put a place, which may differ from where it belongs. */
  function drawnArea(place: number): number {
    if (drawn[place] === UNKNOWN) {
      const area = boundaries.areaAt((places.latitudeE5[place] ?? 0) / 1e5, (places.longitudeE5[place] ?? 0) / 1e5);
      drawn[place] = area ?? AT_SEA;
    }
    return drawn[place] ?? AT_SEA;
  }

  /** The land that a point off the coast belongs to, if any. */
  function areaOffCoast(latitude: number, longitude: number, near: readonly NearPlace[]): number | undefined {
    const waters = boundaries.countryAt(latitude, longitude);
    const fits = (owner: number | undefined) => waters === undefined || owner === waters;
    const coast = boundaries
      .areasNear(latitude, longitude, COAST_KM)
      .find(({ area }) => fits(holderOf(areas, area, 0)));
    const place = near.find(({ place: row, distanceKm }) => {
      const withinKm = drawnArea(row) === AT_SEA ? ISLAND_KM : COAST_KM;
      return distanceKm <= withinKm && fits(country[row]);
    });
    // Of a coast without a place, any part will do; with one, its own.
    if (coast !== undefined && (place === undefined || coast.distanceKm < place.distanceKm)) return coast.area;
    return place === undefined ? undefined : firstLevel[place.place];
  }

  function ownerOf(held: number, point: Point): number | undefined {
    const isNear = boundaries.isNearBorder(point.latitude, point.longitude, BORDER_KM);
    return (isNear ? countryByZone(point) : undefined) ?? holderOf(areas, held, 0);
  }

  function bestOf(near: readonly NearPlace[], eligible: (place: number) => boolean): NearPlace | undefined {
    let best: NearPlace | undefined;
    let bestScore = Number.POSITIVE_INFINITY;
    for (const candidate of near) {
      if (!eligible(candidate.place)) continue;
      const score = candidate.distanceKm / Math.max(places.population[candidate.place] ?? 0, SMALLEST) ** REACH;
      if (score < bestScore) [best, bestScore] = [candidate, score];
    }
    return best;
  }

  return (latitude: number, longitude: number): ReverseAnswer | undefined => {
    const near = nearest.find(latitude, longitude, CANDIDATES, DIVISION_KM);
    const held = boundaries.areaAt(latitude, longitude) ?? areaOffCoast(latitude, longitude, near);
    if (held === undefined) return undefined;
    const [first] = near;
    const close = first !== undefined && first.distanceKm <= ENCLAVE_KM ? first.place : undefined;
    const owner = close === undefined ? ownerOf(held, { latitude, longitude }) : country[close];
    // Within a country, the places of a division are those that carry its name, or are drawn in it.
    const whole = areas.level[held] === 0 || owner !== holderOf(areas, held, 0);
    const best = bestOf(near, (place) => {
      if (country[place] !== owner) return false;
      return whole || firstLevel[place] === held || place === close || drawnArea(place) === held;
    });
    const isOwn = owner === holderOf(areas, held, 0);
    if (best === undefined) return { place: undefined, area: isOwn ? held : (owner ?? held), distanceKm: 0 };
    const area = firstLevel[best.place] ?? held;
    if (best.distanceKm > PLACE_KM) return { place: undefined, area: whole ? area : held, distanceKm: 0 };
    return { place: best.place, area, distanceKm: best.distanceKm };
  };
}

const UNKNOWN = -2;
const AT_SEA = -1;
