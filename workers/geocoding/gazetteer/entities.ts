import { defined } from '../../exact/defined.ts';
import type { Point } from '../geometry/distance.ts';
import type { Gazetteer } from './gazetteer.ts';

/** The table of an entity. Entities have consecutive numbers: areas come first, then places, features and postcodes. */
export type EntityKind = 'area' | 'place' | 'feature' | 'postcode';

export interface Entity {
  readonly kind: EntityKind;
  readonly row: number;
}

export function entityOf({ areas, places, features }: Gazetteer, entity: number): Entity {
  if (entity < areas.count) return { kind: 'area', row: entity };
  const place = entity - areas.count;
  if (place < places.count) return { kind: 'place', row: place };
  const feature = place - places.count;
  if (feature < features.count) return { kind: 'feature', row: feature };
  return { kind: 'postcode', row: feature - features.count };
}

export function placeEntity({ areas }: Gazetteer, place: number): number {
  return areas.count + place;
}

export function postcodeEntity({ areas, places, features }: Gazetteer, postcode: number): number {
  return areas.count + places.count + features.count + postcode;
}

/** The entity itself if it is an area, or else the smallest area that contains it. Undefined for an ocean. */
export function areaOf(gazetteer: Gazetteer, entity: number): number | undefined {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return row;
  if (kind === 'feature') return gazetteer.features.areaOf(row);
  const { area } = kind === 'place' ? gazetteer.places : gazetteer.postcodes;
  return defined(area[row]);
}

export function pointOf(gazetteer: Gazetteer, entity: number): Point {
  const { kind, row } = entityOf(gazetteer, entity);
  const { areas, places, features, postcodes } = gazetteer;
  const table = { area: areas, place: places, feature: features, postcode: postcodes }[kind];
  return { latitude: defined(table.latitudeE5[row]) / 1e5, longitude: defined(table.longitudeE5[row]) / 1e5 };
}
