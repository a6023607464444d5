import {
  type ContentServiceServer,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
  type ConvertHtmlStreamRequest,
  type ConvertHtmlStreamResponse,
  Extraction,
} from '../../proto/gen/tollhouse/content/v1/content.ts';
import type { HtmlDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import { bulkStream, outcomeOf } from '../platform/grpc/bulk-stream.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { MAX_ANSWER_BYTES } from '../platform/grpc/size-limits.ts';
import type { TaskOptions } from '../platform/pools/pool.ts';
import { runTask } from '../platform/pools/run-task.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { DocumentLanes } from './document-lanes.ts';

/** One that is converted and one that waits. */
const DOCUMENTS_PER_THREAD = 2;

export interface ContentServiceOptions {
  readonly lanes: DocumentLanes;
  /** Longest time to convert a document. It is shorter than its callers wait, so that they learn the cause. */
  readonly timeLimitMs: number;
  readonly logger: Logger;
}

/** `tollhouse.content.v1.ContentService` on conversion threads. */
export function createContentService({ lanes, timeLimitMs, logger }: ContentServiceOptions): ContentServiceServer {
  const convertWithin = (request: ConvertHtmlRequest | undefined, context: TaskOptions) =>
    convert(lanes, request, { ...context, timeLimitMs });
  return {
    convertHtml: unary(logger, convertWithin),
    convertHtmlStream: bulkStream<ConvertHtmlStreamRequest, ConvertHtmlStreamResponse>({
      maxUnderWay: lanes.threads * DOCUMENTS_PER_THREAD,
      answer: async ({ id, document }, context) => ({
        id,
        outcome: await outcomeOf(() => convertWithin(document, context)),
      }),
      logger,
    }),
  };
}

async function convert(
  lanes: DocumentLanes,
  request: ConvertHtmlRequest | undefined,
  options: TaskOptions,
): Promise<ConvertHtmlResponse> {
  if (request === undefined) throw new ServiceError('INVALID_ARGUMENT', 'document is missing');
  if (request.html.trim() === '') throw new ServiceError('INVALID_ARGUMENT', 'html contains only white space');
  const { html, sourceUrl } = request;
  // An answer that is too large to be retained must not be sent.
  const task = { html, sourceUrl, extraction: extractionOf(request), maxAnswerBytes: MAX_ANSWER_BYTES };
  // The document, not the service, is the cause.
  const blame = { outOfMemoryCode: 'DOCUMENT_TOO_COMPLEX', outOfTimeCode: 'DOCUMENT_TOO_SLOW' } as const;
  const answer = await runTask(lanes, task, { ...options, ...blame });
  const { title, byline, excerpt, markdown, markdownCharacters } = answer;
  return {
    title: title ?? undefined,
    byline: byline ?? undefined,
    excerpt: excerpt ?? undefined,
    markdown,
    markdownCharacters,
  };
}

const EXTRACTIONS: ReadonlyMap<number, NonNullable<HtmlDocument['extraction']>> = new Map([
  [Extraction.EXTRACTION_UNSPECIFIED, 'auto'],
  [Extraction.EXTRACTION_AUTO, 'auto'],
  [Extraction.EXTRACTION_FULL, 'full'],
  [Extraction.EXTRACTION_ARTICLE, 'article'],
]);

/** `auto` by default. */
function extractionOf({ extraction = Extraction.EXTRACTION_AUTO }: ConvertHtmlRequest): HtmlDocument['extraction'] {
  const known = EXTRACTIONS.get(extraction);
  if (known === undefined) throw new ServiceError('INVALID_ARGUMENT', `the extraction ${extraction} is unknown`);
  return known;
}
