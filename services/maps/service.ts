import type {
  Address,
  GeocodeRequest,
  GeocodeResponse,
  GeocodeStreamRequest,
  GeocodeStreamResponse,
  MapsServiceServer,
  ReverseGeocodeRequest,
  ReverseGeocodeResponse,
  ReverseGeocodeStreamRequest,
  ReverseGeocodeStreamResponse,
} from '../../proto/gen/tollhouse/maps/v1/maps.ts';
import type { ZonedAddress } from '../../workers/geocoding/address/address.ts';
import { bulkStream, outcomeOf } from '../platform/grpc/bulk-stream.ts';
import { type CallContext, unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { Geocoder } from './geocoder/geocoder.ts';
import { readGeocodeRequest, readReverseRequest } from './requests.ts';

export interface MapsServiceOptions {
  readonly geocoder: Geocoder;
  /** Maximum of concurrent requests of one stream. */
  readonly maxUnderWay: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** `tollhouse.maps.v1.MapsService` on a geocoder. UTC offsets are those of the time when the request arrives. */
export function createMapsService(options: MapsServiceOptions): MapsServiceServer {
  const { logger, maxUnderWay } = options;
  const forward = (request: GeocodeRequest, context: CallContext) => geocode(options, request, context);
  const reverse = (request: ReverseGeocodeRequest, context: CallContext) => reverseGeocode(options, request, context);
  return {
    geocode: unary(logger, forward),
    reverseGeocode: unary(logger, reverse),
    geocodeStream: bulkStream<GeocodeStreamRequest, GeocodeStreamResponse>({
      maxUnderWay,
      answer: async ({ id, request }, context) => ({
        id,
        outcome: await outcomeOf(async () => forward(present(request), context)),
      }),
      logger,
    }),
    reverseGeocodeStream: bulkStream<ReverseGeocodeStreamRequest, ReverseGeocodeStreamResponse>({
      maxUnderWay,
      answer: async ({ id, request }, context) => ({
        id,
        outcome: await outcomeOf(async () => reverse(present(request), context)),
      }),
      logger,
    }),
  };
}

async function geocode(
  { geocoder, now }: MapsServiceOptions,
  request: GeocodeRequest,
  { signal, deadlineMs }: CallContext,
): Promise<GeocodeResponse> {
  const query = readGeocodeRequest(request);
  const atMs = now();
  const results = (await geocoder.geocode(query, { signal, deadlineMs, atMs })).map(toMessage);
  return { query: request.query, utcOffsetAt: toTimestamp(atMs), count: results.length, results };
}

async function reverseGeocode(
  { geocoder, now }: MapsServiceOptions,
  request: ReverseGeocodeRequest,
  { signal, deadlineMs }: CallContext,
): Promise<ReverseGeocodeResponse> {
  const query = readReverseRequest(request);
  const atMs = now();
  const results = (await geocoder.reverse(query, { signal, deadlineMs, atMs })).map(toMessage);
  return { coordinates: query.point, utcOffsetAt: toTimestamp(atMs), count: results.length, results };
}

function present<Request>(request: Request | undefined): Request {
  if (request === undefined) throw new ServiceError('INVALID_ARGUMENT', 'request is missing');
  return request;
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
