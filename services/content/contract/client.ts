import {
  ContentServiceClient,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
} from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';

/** Every method throws `CallError`. */
export interface ContentClient {
  convertHtml(request: ConvertHtmlRequest, settings: CallSettings): Promise<ConvertHtmlResponse>;
  close(): void;
}

export function createContentClient(target: string): ContentClient {
  const channels = openChannels(ContentServiceClient, target);
  return {
    convertHtml: (request, settings) => channels.call((client) => client.convertHtml, request, settings),
    close: channels.close,
  };
}
