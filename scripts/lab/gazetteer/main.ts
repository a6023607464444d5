// Builds workers/geocoding/data from its sources: `node scripts/lab/gazetteer/main.ts`. The same sources always give the
// same bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import { openBoundaries } from '../../../workers/geocoding/boundaries/boundaries.ts';
import { type Columns, encodeColumns } from '../../../workers/geocoding/columns/columns.ts';
import type { GazetteerBlocks } from '../../../workers/geocoding/gazetteer/gazetteer.ts';
import { buildBoundaries } from './boundaries/build.ts';
import { collectFeatures, encodeFeatures } from './features.ts';
import { buildNames } from './names.ts';
import { buildPostcodes } from './postcodes.ts';
import { collectAreas } from './sources/areas.ts';
import { readPlaces } from './sources/places.ts';
import { fetchSources } from './sources/sources.ts';
import { encodeAreas, encodePlaces } from './tables.ts';
import { encodeTranslations, readTranslations } from './translations.ts';

const FOLDER = fileURLToPath(new URL('../../../workers/geocoding/data/', import.meta.url));
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 24 };

fetchSources();
const places = readPlaces();
const areas = collectAreas(places);
const translations = readTranslations(areas, places);
const boundaries = buildBoundaries(areas, places);
const { isoCodes } = boundaries;
const features = collectFeatures(areas, isoCodes, openBoundaries(boundaries.columns));
const { columns: names, featureOf } = buildNames({
  areas,
  places,
  features,
  translations,
  isoCodes,
  points: boundaries.points,
});
const tables: Readonly<Record<keyof GazetteerBlocks, Columns>> = {
  areas: encodeAreas(areas, places, { ...boundaries, featureOf }),
  boundaries: boundaries.columns,
  features: encodeFeatures(features),
  names,
  places: encodePlaces(areas, places),
  postcodes: buildPostcodes(areas, places),
  translations: encodeTranslations(translations),
};
mkdirSync(FOLDER, { recursive: true });
for (const [table, columns] of Object.entries(tables)) {
  const block = encodeColumns(columns);
  const packed = zstdCompressSync(block, { params: COMPRESSION });
  writeFileSync(`${FOLDER}${table}.zst`, packed);
  console.log(`${table.padEnd(14)}${String(block.length).padStart(10)} bytes, ${packed.length} packed`);
}
