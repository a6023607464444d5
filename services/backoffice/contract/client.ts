import { BackofficeServiceClient } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

export type BackofficeClient = ReturnType<typeof createBackofficeClient>;

/** Every method throws `CallError`. */
export function createBackofficeClient(target: GrpcTarget) {
  const channels = openChannels(BackofficeServiceClient, target);
  return {
    getRetained: (recordId: string, settings: CallSettings) =>
      channels.call((client) => client.getRetained, { recordId }, settings),
    /** Whether new paid and trial calls may be taken by a gateway with this FINGERPRINT_KEY. */
    readCallFreeze: (fingerprintKeyCheck: string, settings: CallSettings) =>
      channels.call((client) => client.readCallFreeze, { fingerprintKeyCheck }, settings),
    close: channels.close,
  };
}
