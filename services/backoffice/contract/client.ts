import {
  BackofficeServiceClient,
  type GetRetainedResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';

/** Every method throws `CallError`. */
export interface BackofficeClient {
  getRetained(recordId: string, settings: CallSettings): Promise<GetRetainedResponse>;
  /** Whether an operator has stopped new paid and trial calls. */
  readCallFreeze(settings: CallSettings): Promise<boolean>;
  close(): void;
}

export function createBackofficeClient(target: string): BackofficeClient {
  const channels = openChannels(BackofficeServiceClient, target);
  return {
    getRetained: (recordId, settings) => channels.call((client) => client.getRetained, { recordId }, settings),
    readCallFreeze: async (settings) => (await channels.call((client) => client.readCallFreeze, {}, settings)).frozen,
    close: channels.close,
  };
}
