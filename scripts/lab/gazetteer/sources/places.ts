import { readDistricts } from './districts.ts';
import { readExonyms, withExonyms } from './exonyms.ts';
import { readGeoNamesPlaces } from './geonames.ts';
import type { GeoNamesPlace } from './place.ts';
import { readTowns } from './towns.ts';
import { completePlaces } from './written-places.ts';
import { withZonesOfPoints } from './zones.ts';

/** Above all ids of GeoNames. */
const FIRST_TOWN_ID = 900_000_000;
const FIRST_DISTRICT_ID = 910_000_000;

/**
 * Reads the places of GeoNames and of the tables written by hand, most populous first, so an index is a rank. Places with
 * equal populations are sorted by id.
 */
export function readPlaces(): readonly GeoNamesPlace[] {
  const named = withExonyms(readGeoNamesPlaces(), readExonyms());
  const towns = completePlaces(readTowns(), named, { feature: 'PPL', firstId: FIRST_TOWN_ID });
  const districts = completePlaces(readDistricts(), named, { feature: 'PPLX', firstId: FIRST_DISTRICT_ID });
  const placed = withZonesOfPoints([...named, ...towns, ...districts]);
  return placed.toSorted((a, b) => b.population - a.population || a.id - b.id);
}
