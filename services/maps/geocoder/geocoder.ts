import type { Address, ZonedAddress } from '../../../workers/geocoding/address/address.ts';

export interface GeocodeQuery {
  /** Address or name, as the user wrote it. */
  readonly query: string;
  /** BCP 47 tag of the preferred language of names. */
  readonly language: string | undefined;
  /** Maximum of results, 1 to 5. */
  readonly limit: number;
  /** Results near this point are preferred. */
  readonly bias: Point | undefined;
}

export interface ReverseQuery {
  readonly point: Point;
  readonly language: string | undefined;
}

/** Degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface GeocoderOptions {
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch; may be Infinity. */
  readonly deadlineMs: number;
  /** Time of the request, in milliseconds since the epoch. UTC offsets are those of this time. */
  readonly atMs: number;
  /** The stream that the query came on, whose queries may share what it costs to cross to a thread. */
  readonly stream?: object;
}

/**
 * Finds places by name, and addresses by coordinates. The best result is first; the list may be empty.
 * @throws {ServiceError} UPSTREAM_TIMEOUT, UPSTREAM_FAILURE, OVERLOADED, DEADLINE_EXCEEDED, CANCELLED, INTERNAL
 */
export interface Geocoder<Result extends Address = ZonedAddress> {
  geocode(query: GeocodeQuery, options: GeocoderOptions): Promise<readonly Result[]>;
  reverse(query: ReverseQuery, options: GeocoderOptions): Promise<readonly Result[]>;
}

/** A remote provider. Fields that it does not return are null, and are completed from the embedded data. */
export type UpstreamGeocoder = Geocoder<Address>;
