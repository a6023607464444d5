import { type AreaTable, openAreas } from './areas.ts';
import { decodeColumns } from './columns.ts';
import { type NameTable, openNames } from './names.ts';
import { openPlaces, type PlaceTable } from './places.ts';
import { openPostcodes, type PostcodeTable } from './postcodes.ts';
import { openTranslations, type TranslationTable } from './translations.ts';

/** The tables, each a file of `workers/geocoding/data`. */
export const TABLES = ['areas', 'places', 'names', 'translations', 'postcodes'] as const;

/** Each table as its file holds it, unpacked: see `encodeColumns`. May be memory that threads share. */
export type GazetteerBlocks = Readonly<Record<(typeof TABLES)[number], ArrayBufferLike>>;

/** An entity is an area, or the number of areas and a place: `entity < areas.count` tells which. */
export interface Gazetteer {
  readonly areas: AreaTable;
  readonly places: PlaceTable;
  readonly names: NameTable;
  readonly translations: TranslationTable;
  readonly postcodes: PostcodeTable;
}

/** Adds to the shared blocks only what is small: row starts and a hash table. */
export function openGazetteer(blocks: GazetteerBlocks): Gazetteer {
  return {
    areas: openAreas(decodeColumns(blocks.areas)),
    places: openPlaces(decodeColumns(blocks.places)),
    names: openNames(decodeColumns(blocks.names)),
    translations: openTranslations(decodeColumns(blocks.translations)),
    postcodes: openPostcodes(decodeColumns(blocks.postcodes)),
  };
}
