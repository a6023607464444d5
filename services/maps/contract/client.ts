import {
  type GeocodeRequest,
  type GeocodeResponse,
  MapsServiceClient,
  type ReverseGeocodeRequest,
  type ReverseGeocodeResponse,
} from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface MapsClient {
  geocode(request: GeocodeRequest, settings: CallSettings): Promise<GeocodeResponse>;
  reverseGeocode(request: ReverseGeocodeRequest, settings: CallSettings): Promise<ReverseGeocodeResponse>;
  close(): void;
}

export function createMapsClient(target: GrpcTarget): MapsClient {
  const channels = openChannels(MapsServiceClient, target);
  return {
    geocode: (request, settings) => channels.call((client) => client.geocode, request, settings),
    reverseGeocode: (request, settings) => channels.call((client) => client.reverseGeocode, request, settings),
    close: channels.close,
  };
}
