import { defined } from '../../exact/defined.ts';
import type { Point } from '../geometry/distance.ts';
import type { Gazetteer } from './gazetteer.ts';

/** The table of an entity. Entities have consecutive numbers: areas come first, then places, then postcodes. */
export type EntityKind = 'area' | 'place' | 'postcode';

export interface Entity {
  readonly kind: EntityKind;
  readonly row: number;
}

export function entityOf({ areas, places }: Gazetteer, entity: number): Entity {
  if (entity < areas.count) return { kind: 'area', row: entity };
  if (entity < areas.count + places.count) return { kind: 'place', row: entity - areas.count };
  return { kind: 'postcode', row: entity - areas.count - places.count };
}

export function placeEntity({ areas }: Gazetteer, place: number): number {
  return areas.count + place;
}

export function postcodeEntity({ areas, places }: Gazetteer, postcode: number): number {
  return areas.count + places.count + postcode;
}

/** The entity itself if it is an area, or else the smallest area that contains it. */
export function areaOf(gazetteer: Gazetteer, entity: number): number {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return row;
  const { area } = kind === 'place' ? gazetteer.places : gazetteer.postcodes;
  return defined(area[row]);
}

export function pointOf(gazetteer: Gazetteer, entity: number): Point {
  const { kind, row } = entityOf(gazetteer, entity);
  const table = { area: gazetteer.areas, place: gazetteer.places, postcode: gazetteer.postcodes }[kind];
  return { latitude: defined(table.latitudeE5[row]) / 1e5, longitude: defined(table.longitudeE5[row]) / 1e5 };
}
