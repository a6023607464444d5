import {
  type ContentServiceServer,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
  type ConvertHtmlStreamRequest,
  type ConvertHtmlStreamResponse,
  Extraction,
} from '../../proto/gen/tollhouse/content/v1/content.ts';
import type { HtmlDocument, MarkdownDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import { type Pool, PoolError, type TaskOptions } from '../../workers/pool.ts';
import { bulkStream } from '../shared/bulk-stream.ts';
import { unary } from '../shared/grpc-server.ts';
import type { Logger } from '../shared/logger.ts';
import { ServiceError, type ServiceErrorCode } from '../shared/service-error.ts';

export type ConversionPool = Pool<HtmlDocument, MarkdownDocument>;

/** One that is worked on and one that waits. */
const DOCUMENTS_PER_THREAD = 2;

export interface ContentServiceOptions {
  readonly pool: ConversionPool;
  readonly logger: Logger;
}

/** `tollhouse.content.v1.ContentService` on a pool of conversion threads. */
export function createContentService({ pool, logger }: ContentServiceOptions): ContentServiceServer {
  return {
    convertHtml: unary(logger, (request, context) => convert(pool, request, context)),
    convertHtmlStream: bulkStream<ConvertHtmlStreamRequest, ConvertHtmlStreamResponse>({
      maxUnderWay: pool.threads * DOCUMENTS_PER_THREAD,
      answer: (request, context) => answerOne(pool, request, context),
      logger,
    }),
  };
}

async function convert(
  pool: ConversionPool,
  request: ConvertHtmlRequest,
  options: TaskOptions,
): Promise<ConvertHtmlResponse> {
  if (request.html.trim() === '') throw new ServiceError('INVALID_ARGUMENT', 'html holds nothing but white space');
  const { html, sourceUrl } = request;
  const answer = await pool.run({ html, sourceUrl, extraction: extractionOf(request) }, options).catch(refuse);
  if (!answer.ok) throw new ServiceError(answer.code as ServiceErrorCode, answer.message);
  const { title, byline, excerpt, markdown, markdownCharacters } = answer.value;
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

function extractionOf({ extraction = Extraction.EXTRACTION_AUTO }: ConvertHtmlRequest): HtmlDocument['extraction'] {
  const known = EXTRACTIONS.get(extraction);
  if (known === undefined) throw new ServiceError('INVALID_ARGUMENT', `there is no extraction ${extraction}`);
  return known;
}

const POOL_ERRORS = {
  OVERLOADED: 'OVERLOADED',
  DEADLINE_EXCEEDED: 'DEADLINE_EXCEEDED',
  CANCELLED: 'CANCELLED',
  // The document, not the service, is what needs so much.
  WORKER_OUT_OF_MEMORY: 'DOCUMENT_TOO_COMPLEX',
  WORKER_FAILED: 'INTERNAL',
} as const satisfies Record<PoolError['code'], ServiceErrorCode>;

function refuse(error: unknown): never {
  if (error instanceof PoolError) throw new ServiceError(POOL_ERRORS[error.code], error.message, { cause: error });
  throw error;
}

async function answerOne(
  pool: ConversionPool,
  { id, document }: ConvertHtmlStreamRequest,
  context: TaskOptions,
): Promise<ConvertHtmlStreamResponse> {
  try {
    if (document === undefined) throw new ServiceError('INVALID_ARGUMENT', 'document is missing');
    return { id, outcome: { $case: 'result', value: await convert(pool, document, context) } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { id, outcome: { $case: 'error', value: { code: error.code, message: error.message } } };
  }
}
