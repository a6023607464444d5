import { type Boundaries, openBoundaries } from '../boundaries/boundaries.ts';
import { decodeColumns } from '../columns/columns.ts';
import { type AreaTable, openAreas } from './areas.ts';
import { type NameTable, openNames } from './names.ts';
import { openPlaces, type PlaceTable } from './places.ts';
import { openPostcodes, type PostcodeTable } from './postcodes.ts';
import { openTranslations, type TranslationTable } from './translations.ts';

/** Each table as its file in `workers/geocoding/data` holds it, unpacked. May be memory that threads share. */
export interface GazetteerBlocks {
  readonly areas: ArrayBufferLike;
  readonly boundaries: ArrayBufferLike;
  readonly names: ArrayBufferLike;
  readonly places: ArrayBufferLike;
  readonly postcodes: ArrayBufferLike;
  readonly translations: ArrayBufferLike;
}

/** An entity is an area, or the number of areas and a place: `entity < areas.count` tells which. */
export interface Gazetteer {
  readonly areas: AreaTable;
  readonly boundaries: Boundaries;
  readonly places: PlaceTable;
  readonly names: NameTable;
  readonly translations: TranslationTable;
  readonly postcodes: PostcodeTable;
}

/** Adds to the shared blocks only what is small: row starts and a hash table. */
export function openGazetteer(blocks: GazetteerBlocks): Gazetteer {
  return {
    areas: openAreas(decodeColumns(blocks.areas)),
    boundaries: openBoundaries(decodeColumns(blocks.boundaries)),
    places: openPlaces(decodeColumns(blocks.places)),
    names: openNames(decodeColumns(blocks.names)),
    translations: openTranslations(decodeColumns(blocks.translations)),
    postcodes: openPostcodes(decodeColumns(blocks.postcodes)),
  };
}
