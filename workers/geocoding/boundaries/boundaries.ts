import { type Columns, columnOf } from '../columns/columns.ts';
import { decodeArcs } from './arcs.ts';
import { type NearArea, openLayer } from './layer.ts';

/**
 * Two layers: countries with their territorial waters, accurate to a few hundred meters, and first-level divisions on land,
 * accurate to one or two kilometers.
 */
export interface Boundaries {
  /** The division that contains the point, or the country if no division is known there. Undefined at sea. */
  areaAt(latitude: number, longitude: number): number | undefined;
  /** The country that contains the point, its waters included. Undefined elsewhere. */
  countryAt(latitude: number, longitude: number): number | undefined;
  /** Whether another country begins within the distance. */
  isNearBorder(latitude: number, longitude: number, withinKm: number): boolean;
  /** Divisions on land with a border within the distance, nearest first. */
  areasNear(latitude: number, longitude: number, withinKm: number): readonly NearArea[];
}

/** Borders of divisions are less accurate: they are at most this far outside those of their country. */
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
      // If the layers differ, the country is right, and the division is a near one of that country.
      const near = divisions.areasNear(latitude, longitude, MISMATCH_KM);
      return near.find(({ area: other }) => countryOf[other] === country)?.area ?? country;
    },
    countryAt: countries.areaAt,
    isNearBorder: (latitude, longitude, withinKm) => countries.areasNear(latitude, longitude, withinKm).length > 1,
    areasNear: divisions.areasNear,
  };
}
