import type { Point } from '../geometry/distance.ts';
import type { Gazetteer } from './gazetteer.ts';

/** What an entity's number stands for, and its row in that table. Areas come first, then places, then postcodes. */
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

/** The area that is or holds the entity. */
export function areaOf(gazetteer: Gazetteer, entity: number): number {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return row;
  const { area } = kind === 'place' ? gazetteer.places : gazetteer.postcodes;
  return area[row] ?? 0;
}

export function pointOf(gazetteer: Gazetteer, entity: number): Point {
  const { kind, row } = entityOf(gazetteer, entity);
  const table = { area: gazetteer.areas, place: gazetteer.places, postcode: gazetteer.postcodes }[kind];
  return { latitude: (table.latitudeE5[row] ?? 0) / 1e5, longitude: (table.longitudeE5[row] ?? 0) / 1e5 };
}
