import type { Address, ZonedAddress } from '../../../workers/geocoding/address/address.ts';

export interface GeocodeQuery {
  /** Address or name, as its user wrote it. */
  readonly query: string;
  /** BCP 47 tag of the language that names are wanted in. */
  readonly language: string | undefined;
  /** Most results to return, 1 to 5. */
  readonly limit: number;
  /** Degrees: what is near here is preferred. */
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
  /** The instant of the request, in milliseconds since the epoch: UTC offsets apply then. */
  readonly atMs: number;
}

/**
 * Finds places by name and names by place; best first, an empty list where nothing is found.
 * @throws {ServiceError} UPSTREAM_TIMEOUT, UPSTREAM_FAILURE, OVERLOADED, DEADLINE_EXCEEDED, CANCELLED, INTERNAL
 */
export interface Geocoder<Result extends Address = ZonedAddress> {
  geocode(query: GeocodeQuery, options: GeocoderOptions): Promise<readonly Result[]>;
  reverse(query: ReverseQuery, options: GeocoderOptions): Promise<readonly Result[]>;
}

/** A provider beyond the network: what it does not say of a result is null, and completed by our own data. */
export type UpstreamGeocoder = Geocoder<Address>;
