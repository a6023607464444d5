import { Type } from 'typebox';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import type { Areas } from '../sources/areas.ts';
import { readTextIn } from '../sources/sources.ts';
import { cutAt, withCrossings } from './parallel.ts';
import { Geometry, type Ring, ringsOf } from './rings.ts';

/** A part of a country, including its territorial waters. */
export interface CountryPart {
  readonly area: number;
  readonly rings: readonly Ring[];
}

const parseBorders = createJsonReader(
  Type.Object({
    features: Type.Array(
      Type.Object({
        properties: Type.Object({
          wikidata: Type.String(),
          iso1A2: Type.Optional(Type.String()),
          country: Type.Optional(Type.String()),
          groups: Type.Optional(Type.Array(Type.String())),
        }),
        geometry: Type.Union([Geometry, Type.Null()]),
      }),
    ),
  }),
  'borders.json of @rapideditor/country-coder',
);

/** Contested regions that the source assigns differently from ISO 3166: Crimea and Northern Cyprus. By Wikidata id. */
const CONTESTED: Readonly<Record<string, string>> = { Q7835: 'UA', Q23681: 'CY' };

/**
 * The source assigns to Morocco all the land that Morocco governs. In ISO 3166 and GeoNames, Western Sahara begins at
 * 27° 40' N. Only rings between these meridians are cut. Units of the boundary grid.
 */
const SAHARA = { north: 276_667, west: -200_000, east: -80_000 };

function withWesternSahara(parts: readonly CountryPart[], areas: Areas): readonly CountryPart[] {
  const [morocco, sahara] = [areas.indexOf('MA'), areas.indexOf('EH')];
  return parts.flatMap(({ area, rings }) => {
    const crossed = rings.map((ring) =>
      ring.x.some((x) => x > SAHARA.west && x < SAHARA.east) ? withCrossings(ring, SAHARA.north) : ring,
    );
    if (area !== morocco || sahara === undefined) return [{ area, rings: crossed }];
    const cut = crossed.map((ring) => cutAt(ring, SAHARA.north));
    const filled = (ring: Ring) => ring.x.length > 2;
    return [
      { area, rings: cut.map(({ north }) => north).filter(filled) },
      { area: sahara, rings: cut.map(({ south }) => south).filter(filled) },
    ];
  });
}

/**
 * Reads the borders that OpenStreetMap's editors use. They are precise where people live close to them. Land without
 * a known country is left out.
 */
export function readCountries(areas: Areas): readonly CountryPart[] {
  const text = readTextIn('@rapideditor/country-coder', 'src/data/borders.json');
  const { features } = parseBorders(text);
  const parts = features.flatMap(({ properties: { wikidata, iso1A2, country, groups = [] }, geometry }) => {
    if (geometry === null) return [];
    // If ISO only reserves the code of a part, the part belongs to its group, such as SH, or to its country.
    const codes = [CONTESTED[wikidata], iso1A2, ...groups, country];
    const area = codes
      .filter((code) => code !== undefined)
      .map((code) => areas.indexOf(code))
      .find((found) => found !== undefined);
    return area === undefined ? [] : [{ area, rings: ringsOf(geometry) }];
  });
  return withWesternSahara(parts, areas);
}
