import {
  type GeocodeRequest,
  type GeocodeResponse,
  MapsServiceClient,
  type ReverseGeocodeRequest,
  type ReverseGeocodeResponse,
} from '../../proto/gen/tollhouse/maps/v1/maps.ts';
import { type CallSettings, openChannels } from '../../services/shared/grpc-client.ts';
import { toUpstreamError } from './call-error.ts';

/** All throw `AppError`. */
export interface MapsClient {
  geocode(request: GeocodeRequest, settings: CallSettings): Promise<GeocodeResponse>;
  reverseGeocode(request: ReverseGeocodeRequest, settings: CallSettings): Promise<ReverseGeocodeResponse>;
  close(): void;
}

export function createMapsClient(target: string): MapsClient {
  const channels = openChannels(MapsServiceClient, target);
  const refuse = (error: unknown) => Promise.reject(toUpstreamError(error));
  return {
    geocode: (request, settings) => channels.call((client) => client.geocode, request, settings).catch(refuse),
    reverseGeocode: (request, settings) =>
      channels.call((client) => client.reverseGeocode, request, settings).catch(refuse),
    close: channels.close,
  };
}
