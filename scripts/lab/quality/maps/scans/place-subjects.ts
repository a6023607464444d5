import { defined } from '../../../../../workers/exact/defined.ts';
import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { placeEntity, pointOf } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import type { Gazetteer } from '../../../../../workers/geocoding/gazetteer/gazetteer.ts';
import type { Point } from '../../../../../workers/geocoding/geometry/distance.ts';

export interface ScannedPlace {
  readonly row: number;
  readonly point: Point;
  /** Row of its country in the table of areas. */
  readonly country: number;
  /** Its name, country and point, such as "Altai, MN (46.37, 96.26)". */
  readonly subject: string;
}

export function* placesOf(gazetteer: Gazetteer): Generator<ScannedPlace> {
  const { areas, places } = gazetteer;
  for (let row = 0; row < places.count; row++) {
    const point = pointOf(gazetteer, placeEntity(gazetteer, row));
    const country = defined(holderOf(areas, defined(places.area[row]), 0));
    const at = `${point.latitude.toFixed(2)}, ${point.longitude.toFixed(2)}`;
    yield { row, point, country, subject: `${places.names.at(row)}, ${areas.codes.at(country)} (${at})` };
  }
}
