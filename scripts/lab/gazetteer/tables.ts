import { defined } from '../../../workers/exact/defined.ts';
import { type Columns, encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { FEATURES } from '../../../workers/geocoding/gazetteer/places.ts';
import type { Feature } from './features.ts';
import type { Areas } from './sources/areas.ts';
import type { GeoNamesPlace } from './sources/place.ts';

const toE5 = (degrees: number) => Math.round(degrees * 1e5);

/** The columns of `PlaceTable`. */
export function encodePlaces(areas: Areas, places: readonly GeoNamesPlace[]): Columns {
  const zones = [...new Set(places.map(({ timeZone }) => timeZone))].sort();
  const rowOfZone = new Map(zones.map((zone, row) => [zone, row]));
  return {
    latitudeE5: Int32Array.from(places, ({ latitude }) => toE5(latitude)),
    longitudeE5: Int32Array.from(places, ({ longitude }) => toE5(longitude)),
    population: Uint32Array.from(places, ({ population }) => population),
    area: Uint16Array.from(places, (place) => areas.of(place)),
    zone: Uint16Array.from(places, ({ timeZone }) => rowOfZone.get(timeZone) ?? 0),
    // A feature code without its own entry counts as a populated place (PPL).
    feature: Uint8Array.from(places, ({ feature }) => Math.max(FEATURES.indexOf(feature as 'PPL'), 0)),
    names: encodeLines(places.map(({ name }) => name)),
    zones: encodeLines(zones),
  };
}

export interface AreaPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export interface AreaFacts {
  /** Representative points by area. An area without one gets the point of its most populous place. */
  readonly points: ReadonlyMap<number, AreaPoint>;
  /** ISO 3166-2 codes by area, without the country. */
  readonly isoCodes: ReadonlyMap<number, string>;
  /** The most prominent feature that each area is, if it is one. */
  readonly featureOf: ReadonlyMap<number, Feature>;
}

/** The columns of `AreaTable`. */
export function encodeAreas(areas: Areas, places: readonly GeoNamesPlace[], facts: AreaFacts): Columns {
  const population = new Float64Array(areas.list.length);
  const points = new Map(facts.points);
  for (const place of places) {
    for (const area of areaAndParents(areas, areas.of(place))) {
      population[area] = defined(population[area]) + place.population;
      if (!points.has(area)) points.set(area, place);
    }
  }
  for (const [area, feature] of facts.featureOf) if (!points.has(area)) points.set(area, feature);
  return {
    level: Uint8Array.from(areas.list, ({ level }) => level),
    parent: Uint16Array.from(areas.list, ({ parent }) => parent),
    population: Uint32Array.from(population),
    fame: Uint8Array.from(areas.list, (_, area) => facts.featureOf.get(area)?.prominence ?? 0),
    latitudeE5: Int32Array.from(areas.list, (_, area) => toE5(points.get(area)?.latitude ?? 0)),
    longitudeE5: Int32Array.from(areas.list, (_, area) => toE5(points.get(area)?.longitude ?? 0)),
    codes: encodeLines(
      areas.list.map(({ key, level }, area) => (level === 0 ? key : (facts.isoCodes.get(area) ?? ''))),
    ),
    names: encodeLines(areas.list.map(({ name }) => name)),
  };
}

/** The area and all areas that contain it. */
function areaAndParents({ list }: Pick<Areas, 'list'>, area: number): readonly number[] {
  const parent = list[area]?.parent ?? area;
  return parent === area ? [area] : [area, ...areaAndParents({ list }, parent)];
}
