import {
  BackofficeServiceClient,
  type GetRetainedResponse,
  type RetainRequest,
  type RetainResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { createBatcher } from '../../platform/grpc/batcher.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import { createMessageStreams } from '../../platform/grpc/message-streams.ts';

/** One message is committed while the next one arrives. */
const MAX_IN_FLIGHT = 2;

/** Every method throws `CallError`. */
export interface BackofficeClient {
  retain(request: RetainRequest, settings: CallSettings): Promise<void>;
  getRetained(recordId: string, settings: CallSettings): Promise<GetRetainedResponse>;
  /** Whether an operator has stopped new paid and trial calls. */
  readCallFreeze(settings: CallSettings): Promise<boolean>;
  close(): void;
}

export function createBackofficeClient(target: string): BackofficeClient {
  const channels = openChannels(BackofficeServiceClient, target);
  const batches = createMessageStreams(() => channels.open((client) => client.retainBatches()));
  const retain = createBatcher<RetainRequest, RetainResponse>({
    sendOne: (call, settings) => channels.call((client) => client.retain, call, settings),
    sendBatch: async (calls, { timeoutMs }) => (await batches.ask({ calls: [...calls] }, timeoutMs)).outcomes,
    bytesOf: ({ requestBody, responseBody }) => requestBody.length + responseBody.length,
    maxInFlight: MAX_IN_FLIGHT,
  });
  return {
    async retain(request, settings) {
      await retain(request, settings);
    },
    getRetained: (recordId, settings) => channels.call((client) => client.getRetained, { recordId }, settings),
    readCallFreeze: async (settings) => (await channels.call((client) => client.readCallFreeze, {}, settings)).frozen,
    close() {
      batches.close();
      channels.close();
    },
  };
}
