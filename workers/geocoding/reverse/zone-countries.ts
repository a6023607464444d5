import { defined } from '../../exact/defined.ts';
import { type AreaTable, holderOf } from '../gazetteer/areas.ts';
import type { PlaceTable } from '../gazetteer/places.ts';
import type { Point } from '../geometry/distance.ts';
import { timeZonesAt } from '../zone/time-zone.ts';

/** A zone belongs to a country with at least this share of its places. Others are shared: northern Vietnam has Bangkok's time. */
const OWN_SHARE = 0.97;

/**
 * The country by whose time zone a point lives. Time zones have the boundaries of OpenStreetMap, which are accurate to a few
 * meters. Our own boundaries are made for world maps. Undefined if the zone is not one country's, or if zones overlap because
 * two countries claim the point.
 */
export function createZoneCountries(
  places: Pick<PlaceTable, 'count' | 'area' | 'zone' | 'zones'>,
  areas: AreaTable,
): (point: Point) => number | undefined {
  const countryOf = countriesOfZones(places, areas);
  return (point) => {
    const [zone, other] = timeZonesAt(point);
    return zone === undefined || other !== undefined ? undefined : countryOf.get(zone);
  };
}

function countriesOfZones(
  { count, area, zone, zones }: Pick<PlaceTable, 'count' | 'area' | 'zone' | 'zones'>,
  areas: AreaTable,
): ReadonlyMap<string, number> {
  const counts = Array.from({ length: zones.count }, () => new Map<number, number>());
  for (let place = 0; place < count; place++) {
    const country = defined(holderOf(areas, defined(area[place]), 0));
    const inZone = defined(counts[defined(zone[place])]);
    inZone.set(country, (inZone.get(country) ?? 0) + 1);
  }
  const owners = new Map<string, number>();
  for (const [row, inZone] of counts.entries()) {
    const total = [...inZone.values()].reduce((sum, each) => sum + each, 0);
    const [owner] = [...inZone].find(([, each]) => each >= total * OWN_SHARE) ?? [];
    if (owner !== undefined) owners.set(zones.at(row), owner);
  }
  return owners;
}
