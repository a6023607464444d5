import {
  type GeocodeRequest,
  type GeocodeResponse,
  MapsServiceClient,
  type ReverseGeocodeRequest,
  type ReverseGeocodeResponse,
} from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { askMany, type IndexedAnswer } from '../../platform/grpc/ask-many.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface MapsClient {
  geocode(request: GeocodeRequest, settings: CallSettings): Promise<GeocodeResponse>;
  reverseGeocode(request: ReverseGeocodeRequest, settings: CallSettings): Promise<ReverseGeocodeResponse>;
  /**
   * Geocodes many queries over one stream, at a fraction of the cost of a call for each. Answers come when they are ready,
   * with the index of their query. A query that fails has an `error`, and the others go on. `timeoutMs` is the time limit
   * of all together; a stream may last ten minutes.
   */
  geocodeMany(requests: Many<GeocodeRequest>, settings: CallSettings): AsyncIterable<IndexedAnswer<GeocodeResponse>>;
  /** Like `geocodeMany`, for points. */
  reverseGeocodeMany(
    requests: Many<ReverseGeocodeRequest>,
    settings: CallSettings,
  ): AsyncIterable<IndexedAnswer<ReverseGeocodeResponse>>;
  close(): void;
}

type Many<Request> = Iterable<Request> | AsyncIterable<Request>;

export function createMapsClient(target: GrpcTarget): MapsClient {
  const channels = openChannels(MapsServiceClient, target);
  return {
    geocode: (request, settings) => channels.call((client) => client.geocode, request, settings),
    reverseGeocode: (request, settings) => channels.call((client) => client.reverseGeocode, request, settings),
    geocodeMany: (requests, settings) =>
      askMany((...given) => channels.open((client) => client.geocodeStream(...given)), requests, settings),
    reverseGeocodeMany: (requests, settings) =>
      askMany((...given) => channels.open((client) => client.reverseGeocodeStream(...given)), requests, settings),
    close: channels.close,
  };
}
