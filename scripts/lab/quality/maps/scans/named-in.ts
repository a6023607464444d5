import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { areaOf, entityOf, placeEntity, pointOf } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import type { Gazetteer } from '../../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { distanceKm } from '../../../../../workers/geocoding/geometry/distance.ts';
import { type Match, search } from '../../../../../workers/geocoding/search/search.ts';
import { keyOf } from '../../../../../workers/geocoding/text/fold.ts';
import type { Finding } from './scan.ts';

/** A place, and the country or division that a query names beside it. */
export interface NamedPlace {
  readonly row: number;
  readonly area: number;
  readonly level: 0 | 1;
  readonly query: string;
}

const NEAR_KM = 25;

/**
 * What is wrong with the first answer: it is more than `Low`, and elsewhere. Another place of that name in the same area is
 * as right, and an airport is wrong unless the query says so.
 */
export function faultOf(gazetteer: Gazetteer, named: NamedPlace): Finding | undefined {
  const { query, row } = named;
  const [match] = search(gazetteer, { query, limit: 1, bias: undefined });
  if (match === undefined || match.confidence === 'Low' || isRight(gazetteer, named, match)) return undefined;
  const [meant, found] = [placeEntity(gazetteer, row), match.entity].map((entity) => pointOf(gazetteer, entity));
  const at = (point: typeof meant) => `${point?.latitude.toFixed(2)}, ${point?.longitude.toFixed(2)}`;
  return { subject: `${query} (${at(meant)})`, fault: `${match.confidence} at ${at(found)}` };
}

function isRight(gazetteer: Gazetteer, { row, area, level }: NamedPlace, { entity }: Match): boolean {
  const { areas, features, places } = gazetteer;
  const km = distanceKm(pointOf(gazetteer, placeEntity(gazetteer, row)), pointOf(gazetteer, entity));
  const found = entityOf(gazetteer, entity);
  if (found.kind !== 'feature') return km <= NEAR_KM || holderOf(areas, areaOf(gazetteer, entity), level) === area;
  return km <= NEAR_KM && (!features.isAirport(found.row) || keyOf(places.names.at(row)).includes('airforcebase'));
}
