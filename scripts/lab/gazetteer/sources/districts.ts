import { defined } from '../../../../workers/exact/defined.ts';
import { namesIn, readTable } from './tables.ts';
import type { WrittenPlace } from './written-places.ts';

/** A district, a quarter or a neighborhood of a large city. */
export interface District extends WrittenPlace {
  readonly city: string;
}

/**
 * Reads districts.tsv: districts that GeoNames lacks. Name, country, city, latitude, longitude, and other names with "|"
 * between them. Their populations are not known.
 */
export function readDistricts(): readonly District[] {
  return readTable('districts.tsv', 6).map((fields) => {
    const field = (index: number) => defined(fields[index]);
    return {
      name: field(0),
      countryCode: field(1),
      city: field(2),
      latitude: Number(field(3)),
      longitude: Number(field(4)),
      population: 0,
      alternates: namesIn(field(5)),
    };
  });
}
