import {
  ContentServiceClient,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
} from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { createBatcher } from '../../platform/grpc/batcher.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';

/** Messages with small documents that are under way. Each can keep all threads of a copy of the service busy. */
const MAX_IN_FLIGHT = 4;

/** Every method throws `CallError`. */
export interface ContentClient {
  convertHtml(request: ConvertHtmlRequest, settings: CallSettings): Promise<ConvertHtmlResponse>;
  close(): void;
}

export function createContentClient(target: string): ContentClient {
  const channels = openChannels(ContentServiceClient, target);
  return {
    convertHtml: createBatcher<ConvertHtmlRequest, ConvertHtmlResponse>({
      sendOne: (document, settings) => channels.call((client) => client.convertHtml, document, settings),
      sendBatch: async (documents, settings) =>
        (await channels.call((client) => client.convertHtmlBatch, { documents: [...documents] }, settings)).outcomes,
      bytesOf: ({ html }) => html.length,
      maxInFlight: MAX_IN_FLIGHT,
    }),
    close: channels.close,
  };
}
