import {
  ContentServiceClient,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
} from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { createBatcher } from '../../platform/grpc/batcher.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';
import { createMessageStreams } from '../../platform/grpc/message-streams.ts';

/** Messages with small documents that are under way. Each can keep all threads of a copy of the service busy. */
const MAX_IN_FLIGHT = 4;

/** Every method throws `CallError`. */
export interface ContentClient {
  convertHtml(request: ConvertHtmlRequest, settings: CallSettings): Promise<ConvertHtmlResponse>;
  close(): void;
}

export function createContentClient(target: GrpcTarget): ContentClient {
  const channels = openChannels(ContentServiceClient, target);
  const batches = createMessageStreams(() => channels.open((client) => client.convertHtmlBatches()));
  return {
    convertHtml: createBatcher<ConvertHtmlRequest, ConvertHtmlResponse>({
      sendOne: (document, settings) => channels.call((client) => client.convertHtml, document, settings),
      sendBatch: async (documents, { timeoutMs }) =>
        (await batches.ask({ documents: [...documents] }, timeoutMs)).outcomes,
      bytesOf: ({ html }) => html.length,
      maxInFlight: MAX_IN_FLIGHT,
    }),
    close() {
      batches.close();
      channels.close();
    },
  };
}
