/** Degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Great-circle distance on a sphere with the Earth's mean radius (haversine formula). The error is at most 0.6 %. */
export function distanceKm(a: Point, b: Point): number {
  const northing = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const easting = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const chord =
    northing * northing + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * easting * easting;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}
