import type { GeocodeRequest, ReverseGeocodeRequest } from '../../proto/gen/tollhouse/maps/v1/maps.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { readCoordinates } from './coordinates.ts';
import type { GeocodeQuery, Point, ReverseQuery } from './geocoder/geocoder.ts';

const MAX_QUERY_CHARACTERS = 2048;
const MAX_RESULTS = 5;
const LANGUAGE = /^(?=.{2,35}$)[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** @throws {ServiceError} INVALID_ARGUMENT with the field and the rule, and without the value */
export function readGeocodeRequest(request: GeocodeRequest): GeocodeQuery {
  const { query, language, limit = MAX_RESULTS, biasLatitude, biasLongitude } = request;
  assert(query.trim() !== '', 'query must contain a character that is not white space');
  assert(isAtMost(query, MAX_QUERY_CHARACTERS), `query must be at most ${MAX_QUERY_CHARACTERS} characters long`);
  assert(!/(?!\s)\p{Cc}/u.test(query), 'query must not contain control characters other than white space');
  assert(limit >= 1 && limit <= MAX_RESULTS, `limit must be from 1 to ${MAX_RESULTS}`);
  return {
    // Pasted addresses may have line breaks and tabs, which providers do not need.
    query: query.replaceAll(/\s+/g, ' '),
    limit,
    language: readLanguage(language),
    bias: readBias(biasLatitude, biasLongitude),
  };
}

/**
 * The point that a query writes. Undefined if it is a name.
 * @throws {ServiceError} INVALID_ARGUMENT if the point is out of range
 */
export function readQueryPoint(query: string): Point | undefined {
  const point = readCoordinates(query);
  return point && readPoint(point, ['query: latitude', 'query: longitude']);
}

/** @throws {ServiceError} INVALID_ARGUMENT with the field and the rule, and without the values */
export function readReverseRequest({ latitude, longitude, language }: ReverseGeocodeRequest): ReverseQuery {
  return { point: readPoint({ latitude, longitude }, ['latitude', 'longitude']), language: readLanguage(language) };
}

function readLanguage(language: string | undefined): string | undefined {
  assert(language === undefined || LANGUAGE.test(language), 'language must be a language tag of 2 to 35 characters');
  return language;
}

function readBias(latitude: number | undefined, longitude: number | undefined): Point | undefined {
  if (latitude === undefined && longitude === undefined) return undefined;
  if (latitude === undefined) throw invalid('bias_longitude requires bias_latitude');
  if (longitude === undefined) throw invalid('bias_latitude requires bias_longitude');
  return readPoint({ latitude, longitude }, ['bias_latitude', 'bias_longitude']);
}

/** NaN and infinities are out of range too. */
function readPoint({ latitude, longitude }: Point, [first, second]: readonly [string, string]): Point {
  assert(Math.abs(latitude) <= 90, `${first} must be from -90 to 90`);
  assert(Math.abs(longitude) <= 180, `${second} must be from -180 to 180`);
  // Adding zero turns -0 into 0.
  return { latitude: latitude + 0, longitude: longitude + 0 };
}

/** Counts code points, like JSON Schema. A code point has at most two UTF-16 units. */
function isAtMost(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= characters * 2 && Array.from(text).length <= characters);
}

function assert(isValid: boolean, rule: string): void {
  if (!isValid) throw invalid(rule);
}

function invalid(rule: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', rule);
}
