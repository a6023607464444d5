import {
  ContentServiceClient,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
} from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { createBatchClient, LARGE_BYTES } from '../../platform/grpc/batch-client.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Messages with small documents that are under way. Each can keep all threads of a copy of the service busy. */
const MAX_IN_FLIGHT = 4;
const MAX_ITEMS = 64;

/** Every method throws `CallError`. */
export interface ContentClient {
  convertHtml(request: ConvertHtmlRequest, settings: CallSettings): Promise<ConvertHtmlResponse>;
  close(): void;
}

export function createContentClient(target: GrpcTarget): ContentClient {
  const channels = openChannels(ContentServiceClient, target);
  const batches = createBatchClient<ConvertHtmlRequest, ConvertHtmlRequest, ConvertHtmlResponse>({
    open: () => channels.open((client) => client.convertHtmlStream()),
    toMessage: (document) => document,
    maxItems: MAX_ITEMS,
    maxInFlight: MAX_IN_FLIGHT,
    bytesOf,
  });
  return {
    // A large document is a call of its own, with its request id.
    convertHtml: (document, settings) =>
      bytesOf(document) > LARGE_BYTES
        ? channels.call((client) => client.convertHtml, document, settings)
        : batches.send(document, settings.timeoutMs),
    close() {
      batches.close();
      channels.close();
    },
  };
}

const bytesOf = ({ html }: ConvertHtmlRequest) => html.length;
