import { UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';

/** Points in order. A line connects the last point to the first. */
export interface Ring {
  readonly x: Int32Array;
  readonly y: Int32Array;
}

type Position = readonly [longitude: number, latitude: number];
type Polygon = readonly (readonly Position[])[];

/** A GeoJSON geometry (RFC 7946). */
export type Geometry =
  | { readonly type: 'Polygon'; readonly coordinates: Polygon }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Polygon[] };

/** Reads the rings. The area is to the left of every ring: outer rings are counterclockwise, holes are clockwise. */
export function ringsOf(geometry: Geometry): readonly Ring[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap((polygon) => polygon.map((ring, index) => readRing(ring, index === 0)));
}

function readRing(positions: readonly Position[], outer: boolean): Ring {
  const open = positions.slice(0, -1);
  // The rings of the source have different directions.
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
