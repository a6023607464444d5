import { type AddressRow, ImportError } from './address-row.ts';
import { linesOf } from './lines.ts';
import { numberOf } from './openaddresses-csv.ts';
import type { RowSource } from './row-source.ts';

/** Columns of GeoNames' postal codes (https://download.geonames.org/export/zip/readme.txt). */
const POSTCODES = { columns: 12, postcode: 1, town: 2, region: 3, district: 5, latitude: 9, longitude: 10 };
/** Columns of GeoNames' places (https://download.geonames.org/export/dump/readme.txt). */
const PLACES = { columns: 19, town: 1, latitude: 4, longitude: 5, featureClass: 6 };
const POPULATED = 'P';

/** Reads a dump of GeoNames: postal codes with their towns, or the populated places of a dump of places. */
export const geoNames: RowSource = {
  name: 'GeoNames',
  async *read(file) {
    for await (const lines of linesOf(file)) {
      for (const { number: line, text } of lines) {
        if (text === '') continue;
        const fields = text.split('\t');
        const row = rowOf(fields);
        if (row === undefined) {
          throw new ImportError(
            file,
            line,
            `the line has ${fields.length} columns; GeoNames has ${POSTCODES.columns} for postal codes and ${PLACES.columns} for places`,
          );
        }
        if (row !== 'other') yield { at: line, row };
      }
    }
  },
};

/** `other`: a feature that is not a populated place. */
function rowOf(fields: readonly string[]): AddressRow | 'other' | undefined {
  const text = (index: number) => (fields[index] ?? '').trim();
  const unknown = { number: '', street: '', district: '', region: '', postcode: '' };
  if (fields.length === POSTCODES.columns) {
    return {
      ...unknown,
      latitude: numberOf(text(POSTCODES.latitude)),
      longitude: numberOf(text(POSTCODES.longitude)),
      town: text(POSTCODES.town),
      district: text(POSTCODES.district),
      region: text(POSTCODES.region),
      postcode: text(POSTCODES.postcode),
    };
  }
  if (fields.length !== PLACES.columns) return undefined;
  if (text(PLACES.featureClass) !== POPULATED) return 'other';
  return {
    ...unknown,
    latitude: numberOf(text(PLACES.latitude)),
    longitude: numberOf(text(PLACES.longitude)),
    town: text(PLACES.town),
  };
}
