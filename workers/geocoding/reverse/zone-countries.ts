import { type AreaTable, holderOf } from '../gazetteer/areas.ts';
import type { PlaceTable } from '../gazetteer/places.ts';
import type { Point } from '../geometry/distance.ts';
import { timeZonesAt } from '../zone/time-zone.ts';

/** A zone is a country's where nearly all places in it are: northern Vietnam keeps Bangkok's time. */
const OWN_SHARE = 0.97;

/**
 * The country whose time a point keeps. The boundaries of time zones are those of OpenStreetMap, and so right to a few
 * metres, where our own are drawn for maps of the world; but not every zone is one country's, and where two claim a
 * place two zones overlap: then nothing is said.
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
    const country = holderOf(areas, area[place] ?? 0, 0) ?? 0;
    const inZone = counts[zone[place] ?? 0];
    inZone?.set(country, (inZone.get(country) ?? 0) + 1);
  }
  const owners = new Map<string, number>();
  for (const [row, inZone] of counts.entries()) {
    const total = [...inZone.values()].reduce((sum, each) => sum + each, 0);
    const [owner] = [...inZone].find(([, each]) => each >= total * OWN_SHARE) ?? [];
    if (owner !== undefined) owners.set(zones.at(row), owner);
  }
  return owners;
}
