import {
  ContentServiceClient,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
} from '../../proto/gen/tollhouse/content/v1/content.ts';
import { type CallSettings, openChannels } from '../../services/shared/grpc-client.ts';
import { toUpstreamError } from './call-error.ts';

export interface ContentClient {
  /** @throws {AppError} */
  convertHtml(request: ConvertHtmlRequest, settings: CallSettings): Promise<ConvertHtmlResponse>;
  close(): void;
}

export function createContentClient(target: string): ContentClient {
  const channels = openChannels(ContentServiceClient, target);
  return {
    convertHtml: (request, settings) =>
      channels
        .call((client) => client.convertHtml, request, settings)
        .catch((error) => Promise.reject(toUpstreamError(error))),
    close: channels.close,
  };
}
