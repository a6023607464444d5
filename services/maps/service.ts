import type {
  Address,
  GeocodeRequest,
  GeocodeResponse,
  MapsServiceServer,
  ReverseGeocodeRequest,
  ReverseGeocodeResponse,
} from '../../proto/gen/tollhouse/maps/v1/maps.ts';
import type { ZonedAddress } from '../../workers/geocoding/address/address.ts';
import { batchStream } from '../platform/grpc/batch-server.ts';
import { type CallContext, unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { createTurns } from '../platform/pools/turns.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { Geocoder, GeocoderOptions, ReverseQuery } from './geocoder/geocoder.ts';
import { readGeocodeRequest, readQueryPoint, readReverseRequest } from './requests.ts';

export interface MapsServiceOptions {
  readonly geocoder: Geocoder;
  /** Maximum of concurrent queries of one stream. */
  readonly maxUnderWay: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Queries of a message. With the longest queries, it is smaller than the 4 MiB that clients accept. */
const MAX_QUERIES = 256;

/** `tollhouse.maps.v1.MapsService` on a geocoder. UTC offsets are those of the time when the request arrives. */
export function createMapsService({ geocoder, maxUnderWay, now, logger }: MapsServiceOptions): MapsServiceServer {
  const optionsOf = ({ signal, deadlineMs }: CallContext): GeocoderOptions => ({ signal, deadlineMs, atMs: now() });
  const forward = (request: GeocodeRequest, options: GeocoderOptions) => geocode(geocoder, request, options);
  const reverse = (request: ReverseGeocodeRequest, options: GeocoderOptions) =>
    reverseGeocode(geocoder, request, options);
  const stream = <Request, Response>(answer: (request: Request, options: GeocoderOptions) => Promise<Response>) =>
    batchStream<Request, Response>({
      maxItems: MAX_QUERIES,
      maxUnderWay,
      open: (context) => {
        const turns = createTurns(maxUnderWay);
        return (requests) => {
          const options = { ...optionsOf(context), stream: context };
          return requests.map(async (request) => {
            await turns.take(context.signal).catch((cause: unknown) => {
              throw new ServiceError('CANCELLED', 'the caller went away', { cause });
            });
            return await answer(request, options).finally(() => turns.end());
          });
        };
      },
      logger,
    });
  return {
    geocode: unary(logger, async (request, context) => forward(request, optionsOf(context))),
    reverseGeocode: unary(logger, async (request, context) => reverse(request, optionsOf(context))),
    geocodeStream: stream(forward),
    reverseGeocodeStream: stream(reverse),
  };
}

async function geocode(
  geocoder: Geocoder,
  request: GeocodeRequest,
  options: GeocoderOptions,
): Promise<GeocodeResponse> {
  const query = readGeocodeRequest(request);
  const point = readQueryPoint(query.query);
  const found =
    point === undefined
      ? await geocoder.geocode(query, options)
      : await atPoint(geocoder, { point, language: query.language }, options);
  const results = found.map(toMessage);
  return { query: request.query, utcOffsetAt: toTimestamp(options.atMs), count: results.length, results };
}

/** A query that is a point is answered with what is there, at the point itself. */
async function atPoint(geocoder: Geocoder, query: ReverseQuery, options: GeocoderOptions) {
  const found = await geocoder.reverse(query, options);
  return found.slice(0, 1).map((address) => ({ ...address, ...query.point }));
}

async function reverseGeocode(
  geocoder: Geocoder,
  request: ReverseGeocodeRequest,
  options: GeocoderOptions,
): Promise<ReverseGeocodeResponse> {
  const query = readReverseRequest(request);
  const results = (await geocoder.reverse(query, options)).map(toMessage);
  return { coordinates: query.point, utcOffsetAt: toTimestamp(options.atMs), count: results.length, results };
}

const toTimestamp = (atMs: number): string => new Date(atMs).toISOString();

/** Protocol Buffers leave out a field that is null here. */
function toMessage(address: ZonedAddress): Address {
  return {
    latitude: address.latitude ?? undefined,
    longitude: address.longitude ?? undefined,
    formattedAddress: address.formattedAddress ?? undefined,
    addressLine: address.addressLine ?? undefined,
    streetNumber: address.streetNumber ?? undefined,
    streetName: address.streetName ?? undefined,
    locality: address.locality ?? undefined,
    postalCode: address.postalCode ?? undefined,
    adminDistrict: address.adminDistrict ?? undefined,
    adminDistrictCode: address.adminDistrictCode ?? undefined,
    adminDistrict2: address.adminDistrict2 ?? undefined,
    country: address.country ?? undefined,
    countryCode: address.countryCode ?? undefined,
    type: address.type ?? undefined,
    confidence: address.confidence ?? undefined,
    timeZone: address.timeZone ?? undefined,
    utcOffset: address.utcOffset ?? undefined,
    matchCodes: [...address.matchCodes],
  };
}
