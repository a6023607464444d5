import { type Columns, columnOf } from '../columns/columns.ts';
import { decodeArcs } from './arcs.ts';
import { type NearArea, openLayer } from './layer.ts';

/**
 * Two layers: countries up to their territorial waters, right to a few hundred metres, and divisions of the first
 * level on land, right to a kilometre or two.
 */
export interface Boundaries {
  /** The division that holds the point, or the country where none is known there; nothing at sea. */
  areaAt(latitude: number, longitude: number): number | undefined;
  /** The country that holds the point or the waters around it. */
  countryAt(latitude: number, longitude: number): number | undefined;
  /** Whether another country begins within the distance. */
  isNearBorder(latitude: number, longitude: number, withinKm: number): boolean;
  /** Divisions of the land whose border passes within the distance, nearest first. */
  areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[];
}

/** The rougher borders of divisions run this far beyond those of their country at most. */
const MISMATCH_KM = 8;

export function openBoundaries(columns: Columns): Boundaries {
  const countries = openLayer(decodeArcs(columns, 'countries.'));
  const divisions = openLayer(decodeArcs(columns, 'divisions.'));
  const countryOf = columnOf(columns, 'countryOf', Uint16Array);
  return {
    areaAt: (latitude, longitude) => {
      const area = divisions.areaAt(latitude, longitude);
      const country = countries.areaAt(latitude, longitude);
      if (area === undefined || country === undefined || countryOf[area] === country) return area;
      // Where the layers differ, the country is right, and the division one of its own nearby.
      const near = divisions.areasNear(latitude, longitude, MISMATCH_KM);
      return near.find(({ area: other }) => countryOf[other] === country)?.area ?? country;
    },
    countryAt: countries.areaAt,
    isNearBorder: (latitude, longitude, withinKm) => countries.areasNear(latitude, longitude, withinKm).length > 1,
    areasNear: divisions.areasNear,
  };
}
