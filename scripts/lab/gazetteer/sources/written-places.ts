import { defined } from '../../../../workers/exact/defined.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import type { GeoNamesPlace } from './place.ts';

/** A place of a table that was written by hand. The places of GeoNames around it say the rest. */
export interface WrittenPlace {
  readonly name: string;
  readonly alternates: readonly string[];
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
  /** GeoNames code of its first-level division. Undefined if it is that of the nearest place. */
  readonly admin1?: string;
}

/** A second-level division that this many places around a place are in is taken for its own. */
const AGREEING = 3;

/**
 * Completes written places with the time zone and the divisions of the places around them. `firstId`: the id of the
 * first, above all ids of GeoNames.
 * @throws {Error} if there is no place of GeoNames in the country and the first-level division
 */
export function completePlaces(
  written: readonly WrittenPlace[],
  places: readonly GeoNamesPlace[],
  { feature, firstId }: { readonly feature: string; readonly firstId: number },
): readonly GeoNamesPlace[] {
  const byCountry = Map.groupBy(places, ({ countryCode }) => countryCode);
  return written.map((place, index) => {
    const others = byCountry.get(place.countryCode) ?? [];
    const around = nearest(
      others.filter(({ admin1 }) => place.admin1 === undefined || place.admin1 === admin1),
      place,
    );
    if (around.length === 0) throw new Error(`no place of GeoNames is around ${place.name}, ${place.countryCode}`);
    const { admin1, admin2, timeZone } = defined(around[0]);
    const isAgreed = around.every((other) => other.admin1 === admin1 && other.admin2 === admin2);
    return { ...place, id: firstId + index, feature, admin1, admin2: isAgreed ? admin2 : '', timeZone };
  });
}

/** The nearest places, the nearest first. */
function nearest(places: readonly GeoNamesPlace[], point: WrittenPlace): readonly GeoNamesPlace[] {
  const best: { readonly km: number; readonly place: GeoNamesPlace }[] = [];
  for (const place of places) {
    const km = distanceKm(place, point);
    if (best.length === AGREEING && km >= defined(best.at(-1)).km) continue;
    best.push({ km, place });
    best.sort((a, b) => a.km - b.km);
    best.splice(AGREEING);
  }
  return best.map(({ place }) => place);
}
