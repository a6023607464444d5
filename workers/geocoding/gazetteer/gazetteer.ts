import { type Boundaries, openBoundaries } from '../boundaries/boundaries.ts';
import { decodeColumns } from '../columns/columns.ts';
import { type AreaTable, openAreas } from './areas.ts';
import { type FeatureTable, openFeatures } from './features.ts';
import { type NameTable, openNames } from './names.ts';
import { openPlaces, type PlaceTable } from './places.ts';
import { openPostcodes, type PostcodeTable } from './postcodes.ts';
import { openTranslations, type TranslationTable } from './translations.ts';

/** The unpacked files of `workers/geocoding/data`, one for each table. They may be in shared memory. */
export interface GazetteerBlocks {
  readonly areas: ArrayBufferLike;
  readonly boundaries: ArrayBufferLike;
  readonly features: ArrayBufferLike;
  readonly names: ArrayBufferLike;
  readonly places: ArrayBufferLike;
  readonly postcodes: ArrayBufferLike;
  readonly translations: ArrayBufferLike;
}

/** The tables of places. `entities.ts` says how entities are numbered over them. */
export interface Gazetteer {
  readonly areas: AreaTable;
  readonly boundaries: Boundaries;
  readonly places: PlaceTable;
  readonly features: FeatureTable;
  readonly names: NameTable;
  readonly translations: TranslationTable;
  readonly postcodes: PostcodeTable;
}

/** Opens the tables. Besides the shared blocks, it only allocates row starts and a hash table. */
export function openGazetteer(blocks: GazetteerBlocks): Gazetteer {
  return {
    areas: openAreas(decodeColumns(blocks.areas)),
    boundaries: openBoundaries(decodeColumns(blocks.boundaries)),
    features: openFeatures(decodeColumns(blocks.features)),
    places: openPlaces(decodeColumns(blocks.places)),
    names: openNames(decodeColumns(blocks.names)),
    translations: openTranslations(decodeColumns(blocks.translations)),
    postcodes: openPostcodes(decodeColumns(blocks.postcodes)),
  };
}
