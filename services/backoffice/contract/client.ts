import {
  BackofficeServiceClient,
  type GetRetainedResponse,
  type ReadCallFreezeResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface BackofficeClient {
  getRetained(recordId: string, settings: CallSettings): Promise<GetRetainedResponse>;
  /** Whether new paid and trial calls may be taken by a gateway with this FINGERPRINT_KEY. */
  readCallFreeze(fingerprintKeyCheck: string, settings: CallSettings): Promise<ReadCallFreezeResponse>;
  close(): void;
}

export function createBackofficeClient(target: GrpcTarget): BackofficeClient {
  const channels = openChannels(BackofficeServiceClient, target);
  return {
    getRetained: (recordId, settings) => channels.call((client) => client.getRetained, { recordId }, settings),
    readCallFreeze: (fingerprintKeyCheck, settings) =>
      channels.call((client) => client.readCallFreeze, { fingerprintKeyCheck }, settings),
    close: channels.close,
  };
}
