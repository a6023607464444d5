import { stat } from 'node:fs/promises';
import { createProgress } from '../../../launch/output/progress.ts';
import { AddressTable } from './address-table.ts';
import { joinStreets } from './join-streets.ts';
import { osmPbf } from './osm/osm-pbf.ts';
import type { PlacesFolder } from './places-folder.ts';
import { MAX_ROWS } from './sort-cells.ts';
import { faultOf, ImportError } from './sources/address-row.ts';
import { openAddressesGeoJson } from './sources/geojson.ts';
import { geoNames } from './sources/geonames.ts';
import { openAddressesCsv } from './sources/openaddresses-csv.ts';
import type { RowSource } from './sources/row-source.ts';
import { type SetCounts, writeAddressSet } from './write-set.ts';

export interface ImportReport extends SetCounts {
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
  [/\.pbf$/i, osmPbf],
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
  for (const file of files) refused += await readFile(file, table, reasons, say);
  if (table.count === 0) throw new ImportError(files[0] ?? '', 1, 'there are no addresses');
  joinStreets(table);
  table.finish();
  say(`writing ${table.count} addresses of ${table.streets.length} streets`);
  const counts = await folder.replace(name, (file) => writeAddressSet(file, table, { sources: files.join('\n') }));
  return { ...counts, refused, reasons };
}

/** @returns the number of rows that were left out */
async function readFile(
  file: string,
  table: AddressTable,
  reasons: string[],
  say: (progress: string) => void,
): Promise<number> {
  const source = sourceOf(file);
  await stat(file);
  say(`${file}: ${source.name}`);
  using progress = createProgress({ title: `${file}, rows` });
  let read = 0;
  let refused = 0;
  for await (const item of source.read(file)) {
    read += 1;
    progress.add(1);
    const fault = 'fault' in item ? item.fault : faultOf(item.row);
    if (fault !== undefined) {
      refused += 1;
      if (reasons.length < MAX_REASONS) reasons.push(`${file}:${item.at}: ${fault}`);
    } else if ('row' in item) {
      if (table.count === MAX_ROWS) throw new ImportError(file, item.at, `a set has at most ${MAX_ROWS} addresses`);
      table.add(item.row);
    }
  }
  if (refused <= read * MOST_REFUSED) return refused;
  throw new ImportError(file, 1, `${refused} of ${read} rows cannot be used, first ${reasons.at(0) ?? ''}`);
}

function sourceOf(file: string): RowSource {
  const source = SOURCES.find(([pattern]) => pattern.test(file))?.[1];
  if (source !== undefined) return source;
  throw new ImportError(
    file,
    1,
    'the format is not known; files end in .csv, .geojson, .ndjson, .pbf or, of GeoNames, .txt',
  );
}
