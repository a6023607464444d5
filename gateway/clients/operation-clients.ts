import { type ContentClient, createContentClient } from '../../services/content/contract/client.ts';
import { createMapsClient, type MapsClient } from '../../services/maps/contract/client.ts';
import type { GrpcTarget } from '../../services/platform/grpc/identity.ts';
import { toUpstreamError } from './call-error.ts';

/** The services that operations call. Every method throws `AppError`. */
export interface OperationClients {
  readonly content: Pick<ContentClient, 'convertHtml'>;
  readonly maps: Pick<MapsClient, 'geocode' | 'reverseGeocode'>;
}

export function createOperationClients(targets: { readonly content: GrpcTarget; readonly maps: GrpcTarget }) {
  const content = createContentClient(targets.content);
  const maps = createMapsClient(targets.maps);
  const refuse = (error: unknown) => Promise.reject(toUpstreamError(error));
  const clients: OperationClients = {
    content: { convertHtml: (request, settings) => content.convertHtml(request, settings).catch(refuse) },
    maps: {
      geocode: (request, settings) => maps.geocode(request, settings).catch(refuse),
      reverseGeocode: (request, settings) => maps.reverseGeocode(request, settings).catch(refuse),
    },
  };
  return {
    clients,
    close() {
      content.close();
      maps.close();
    },
  };
}
