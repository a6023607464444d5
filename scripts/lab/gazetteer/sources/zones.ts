import { defined } from '../../../../workers/exact/defined.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import { timeZonesAt } from '../../../../workers/geocoding/zone/time-zone.ts';
import type { GeoNamesPlace } from './place.ts';

/** A place's own zone counts if another place in it is within this distance. */
const OWN_ZONE_KM = 50;

/**
 * The places with the time zones of their points. A point in water, or in another country, has the zone of the place
 * itself, if that zone is near. A place in another country is left out if its own country has a place of that name: it is
 * the same one with a wrong point.
 */
export function withZonesOfPoints(places: readonly GeoNamesPlace[]): readonly GeoNamesPlace[] {
  const countriesOf = new Map<string, Set<string>>();
  for (const { timeZone, countryCode } of places) {
    countriesOf.set(timeZone, (countriesOf.get(timeZone) ?? new Set()).add(countryCode));
  }
  const zonesOf = new Map(places.map((place) => [place.id, timeZonesAt(place)]));
  const isIn = (zone: string, country: string) => countriesOf.get(zone)?.has(country) ?? true;
  const byName = Map.groupBy(places, ({ countryCode, name }) => `${countryCode} ${name}`);
  return places.flatMap((place) => {
    const zones = defined(zonesOf.get(place.id));
    if (zones.includes(place.timeZone) || zones.every(isAtSea)) return [place];
    // The list has no place in a zone that was made after it. Such a zone is not of another country.
    const own = zones.find((zone) => isIn(zone, place.countryCode));
    if (own !== undefined) return [{ ...place, timeZone: own }];
    const others = byName.get(`${place.countryCode} ${place.name}`) ?? [];
    const isCopy = others.some(({ id }) => zonesOf.get(id)?.some((zone) => isIn(zone, place.countryCode)));
    if (isCopy) {
      console.log(`${place.name}, ${place.countryCode}, is left out: its point is in ${zones.join(' or ')}`);
      return [];
    }
    const isOwnNear = places.some((other) => {
      return distanceKm(other, place) <= OWN_ZONE_KM && zonesOf.get(other.id)?.includes(place.timeZone);
    });
    return [isOwnNear ? place : { ...place, timeZone: defined(zones[0]) }];
  });
}

/** Whether a zone is that of a meridian at sea, such as Etc/GMT+3. */
function isAtSea(zone: string): boolean {
  return zone.startsWith('Etc/');
}
