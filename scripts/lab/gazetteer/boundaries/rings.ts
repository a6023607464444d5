import { Type } from 'typebox';
import { defined } from '../../../../workers/exact/defined.ts';
import { UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';

/** Points in order. A line connects the last point to the first. */
export interface Ring {
  readonly x: Int32Array;
  readonly y: Int32Array;
}

/** Longitude and latitude. */
const Position = Type.Tuple([Type.Number(), Type.Number()]);
type Position = Readonly<Type.Static<typeof Position>>;
const Polygon = Type.Array(Type.Array(Position));

/** A GeoJSON geometry (RFC 7946) with polygons. */
export const Geometry = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: Polygon }),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Polygon) }),
]);
export type Geometry = Type.Static<typeof Geometry>;

/** Reads the rings of each polygon. The area is to the left of every ring: outer rings are counterclockwise, holes are clockwise. */
export function polygonsOf(geometry: Geometry): readonly (readonly Ring[])[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.map((polygon) => polygon.map((ring, index) => readRing(ring, index === 0)));
}

/** The rings of all polygons. */
export function ringsOf(geometry: Geometry): readonly Ring[] {
  return polygonsOf(geometry).flat();
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
  let [x, y] = defined(ring.at(-1));
  let sum = 0;
  for (const [nextX, nextY] of ring) {
    sum += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
  }
  return sum;
}
