import { stat } from 'node:fs/promises';
import { AddressTable } from './address-table.ts';
import type { PlacesFolder } from './places-folder.ts';
import { faultOf, ImportError } from './sources/address-row.ts';
import { openAddressesGeoJson } from './sources/geojson.ts';
import { geoNames } from './sources/geonames.ts';
import { openAddressesCsv } from './sources/openaddresses-csv.ts';
import type { RowSource } from './sources/row-source.ts';
import { writeAddressSet } from './write-set.ts';

export interface ImportReport {
  readonly rows: number;
  readonly streets: number;
  /** Rows that were left out, with the first reasons. */
  readonly refused: number;
  readonly reasons: readonly string[];
}

/** A file of which a larger share of the rows is refused has another format or other columns. */
const MOST_REFUSED = 0.5;
const MAX_REASONS = 10;

const SOURCES: readonly (readonly [RegExp, RowSource])[] = [
  [/\.csv$/i, openAddressesCsv],
  [/\.(geojson|geojsonl|geojsons|ndjson|jsonl)$/i, openAddressesGeoJson],
  [/\.txt$/i, geoNames],
];

/**
 * Reads files of addresses and puts them into the folder as one set. The set that had the name before is served until the
 * new one is complete, and stays if the import fails.
 * @throws {ImportError} if a file cannot be read as addresses
 */
export async function importPlaces(
  folder: PlacesFolder,
  name: string,
  files: readonly string[],
  say: (progress: string) => void,
): Promise<ImportReport> {
  const table = new AddressTable();
  const reasons: string[] = [];
  let refused = 0;
  for (const file of files) {
    const source = sourceOf(file);
    await stat(file);
    say(`${file}: ${source.name}`);
    let read = 0;
    let refusedHere = 0;
    for await (const { line, row } of source.read(file)) {
      read += 1;
      const fault = faultOf(row);
      if (fault === undefined) table.add(row);
      else {
        refusedHere += 1;
        if (reasons.length < MAX_REASONS) reasons.push(`${file}:${line}: ${fault}`);
      }
      if (read % 1_000_000 === 0) say(`${file}: ${read} rows`);
    }
    if (refusedHere > read * MOST_REFUSED) {
      throw new ImportError(file, 1, `${refusedHere} of ${read} rows cannot be used, first ${reasons.at(0) ?? ''}`);
    }
    refused += refusedHere;
  }
  if (table.count === 0) throw new ImportError(files[0] ?? '', 1, 'there are no addresses');
  say(`writing ${table.count} addresses of ${table.streets.length} streets`);
  await folder.replace(name, (file) => {
    writeAddressSet(file, table, {
      addresses: String(table.count),
      streets: String(table.streets.length),
      sources: files.join('\n'),
    });
  });
  return { rows: table.count, streets: table.streets.length, refused, reasons };
}

function sourceOf(file: string): RowSource {
  const source = SOURCES.find(([pattern]) => pattern.test(file))?.[1];
  if (source !== undefined) return source;
  throw new ImportError(file, 1, 'the format is not known; files end in .csv, .geojson, .ndjson or, of GeoNames, .txt');
}
