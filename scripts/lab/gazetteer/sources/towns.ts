import { defined } from '../../../../workers/exact/defined.ts';
import { namesIn, readTable } from './tables.ts';
import type { WrittenPlace } from './written-places.ts';

/**
 * Reads towns.tsv: municipalities that GeoNames lacks because none of their parts has their name. Name, country,
 * GeoNames code of the first-level division, latitude, longitude, population, and other names with "|" between them.
 */
export function readTowns(): readonly (WrittenPlace & { readonly admin1: string })[] {
  return readTable('towns.tsv', 7).map((fields) => {
    const field = (index: number) => defined(fields[index]);
    return {
      name: field(0),
      countryCode: field(1),
      admin1: field(2),
      latitude: Number(field(3)),
      longitude: Number(field(4)),
      population: Number(field(5)),
      alternates: namesIn(field(6)),
    };
  });
}
