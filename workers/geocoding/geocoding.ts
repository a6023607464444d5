import type { Address, Confidence, ZonedAddress } from './address/address.ts';
import { type AreasAt, complete } from './format/complete.ts';
import { describe } from './format/describe.ts';
import { holderOf } from './gazetteer/areas.ts';
import { placeEntity } from './gazetteer/entities.ts';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import type { Point } from './geometry/distance.ts';
import { createReverse, type ReverseAnswer } from './reverse/reverse.ts';
import { createZoneCountries } from './reverse/zone-countries.ts';
import { search } from './search/search.ts';
import { createAreaZones } from './zone/area-zones.ts';
import { timeZoneAt, timeZonesAt } from './zone/time-zone.ts';

export interface ForwardQuery {
  readonly query: string;
  /** BCP 47 tag of the language of names. English by default. */
  readonly language?: string | undefined;
  /** Most results, 1 to 5. */
  readonly limit: number;
  /** Places near this point are preferred. */
  readonly bias?: Point | undefined;
}

export interface ReverseQuery {
  readonly point: Point;
  readonly language?: string | undefined;
}

/** Pure functions: the same query has the same answer. `atMs`: the instant of the UTC offsets. */
export interface Geocoding {
  /** Finds places by their names, best first. */
  geocode(query: ForwardQuery, atMs: number): readonly ZonedAddress[];
  /** Finds the place at a point: one answer, or none at sea. */
  reverse(query: ReverseQuery, atMs: number): readonly ZonedAddress[];
  /** Completes addresses of a provider with parts that follow from them. */
  complete(addresses: readonly Address[], language: string | undefined, atMs: number): readonly ZonedAddress[];
}

/** A point within this distance of a place is surely in it. */
const SURE_KM = 5;
/** Borders of divisions are accurate to one or two kilometers. */
const BORDER_KM = 3;

export function createGeocoding(gazetteer: Gazetteer): Geocoding {
  const { areas, boundaries, places } = gazetteer;
  const countryByZone = createZoneCountries(places, areas);
  // Created for the first point: it takes a third of a second, and a thread that only finds names does not need it.
  const reverseOf = once(() => createReverse({ areas, boundaries, places, countryByZone }));
  // As the first country or division is found.
  const areaZonesOf = once(() => createAreaZones(areas, places));
  const areasAt: AreasAt = {
    country: ({ latitude, longitude }) => holderOf(areas, boundaries.countryAt(latitude, longitude), 0),
    division: ({ latitude, longitude }) => {
      const isSure = boundaries.areasNear(latitude, longitude, BORDER_KM).length < 2;
      return isSure ? holderOf(areas, boundaries.areaAt(latitude, longitude), 1) : undefined;
    },
  };
  /** The zone of the point if one of its country has it, and else that of the place: the point is in water beside its land. */
  const zoneNear = ({ zones: rows }: ReverseAnswer, point: Point) => {
    const zones = rows.map((row) => places.zones.at(row));
    if (zones.length === 1) return zones[0];
    const atPoint = timeZonesAt(point);
    return zones.find((zone) => atPoint.includes(zone)) ?? zones[0];
  };
  return {
    geocode: ({ query, language, limit, bias }, atMs) =>
      search(gazetteer, { query, limit, bias }).map(({ entity, confidence, matchCodes }) => {
        const timeZone = entity < areas.count ? areaZonesOf()(entity, atMs) : undefined;
        return describe(gazetteer, entity, { language, atMs, confidence, matchCodes, timeZone });
      }),
    reverse: ({ point, language }, atMs) => {
      const answer = reverseOf()(point.latitude, point.longitude);
      if (answer === undefined) return [];
      const { place, area } = answer;
      const confidence = confidenceOf(answer);
      const matchCodes = [place === undefined ? 'UpHierarchy' : 'Good'] as const;
      const entity = place === undefined ? area : placeEntity(gazetteer, place);
      const timeZone = place === undefined ? timeZoneAt(point) : zoneNear(answer, point);
      return [describe(gazetteer, entity, { language, atMs, confidence, matchCodes, timeZone })];
    },
    complete: (addresses, language, atMs) =>
      addresses.map((address) => complete(gazetteer, areasAt, address, { language, atMs })),
  };
}

/** Calls `create` at the first call only. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

function confidenceOf({ place, distanceKm }: ReverseAnswer): Confidence {
  if (place === undefined) return 'Low';
  return distanceKm <= SURE_KM ? 'High' : 'Medium';
}
