import type {
  ContentServiceServer,
  ConvertHtmlRequest,
  ConvertHtmlResponse,
} from '../../proto/gen/tollhouse/content/v1/content.ts';
import { defined } from '../../workers/exact/defined.ts';
import type { HtmlDocument, MarkdownDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import type { MarkdownBatch } from '../../workers/html-to-markdown/worker.ts';
import { createBatcher } from '../platform/batcher.ts';
import { batchStream } from '../platform/grpc/batch-server.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { MAX_ANSWER_BYTES } from '../platform/grpc/size-limits.ts';
import { PoolError, type PoolErrorCode, type TaskOptions } from '../platform/pools/pool.ts';
import { resultOf, runTask } from '../platform/pools/run-task.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { DocumentLanes } from './document-lanes.ts';

export interface ContentServiceOptions {
  readonly lanes: DocumentLanes;
  /** Longest time to convert a document. It is shorter than its callers wait, so that they learn the cause. */
  readonly timeLimitMs: number;
  /** Whether the threads have plugins, which may exceed the limits too. */
  readonly hasPlugins?: boolean;
  readonly logger: Logger;
}

/** `tollhouse.content.v1.ContentService` on conversion threads. */
export function createContentService({
  lanes: pool,
  timeLimitMs,
  hasPlugins = false,
  logger,
}: ContentServiceOptions): ContentServiceServer {
  const lanes = hasPlugins ? blamePlugins(pool) : pool;
  const answer = async (request: ConvertHtmlRequest, convert: Convert) =>
    responseOf(await convert(documentOf(request)));
  return {
    convertHtml: unary(logger, (request, context) =>
      answer(request, createConvert(lanes, { ...context, timeLimitMs })),
    ),
    convertHtmlStream: batchStream<ConvertHtmlRequest, ConvertHtmlResponse>({
      maxItems: MAX_DOCUMENTS,
      maxUnderWay: 1,
      open: (context) => {
        const convert = convertTogether(lanes, { ...context, timeLimitMs });
        return (documents) => documents.map((document) => answer(document, convert));
      },
      logger,
    }),
  };
}

/** @throws {ServiceError} */
function documentOf(request: ConvertHtmlRequest): HtmlDocument {
  if (request.html.trim() === '') throw new ServiceError('INVALID_ARGUMENT', 'html contains only white space');
  const { html, sourceUrl } = request;
  // An answer that is too large to be retained must not be sent.
  return { html, sourceUrl, maxAnswerBytes: MAX_ANSWER_BYTES };
}

type Convert = (document: HtmlDocument) => Promise<MarkdownDocument>;

/** Converts one document in a task of its own. @throws {ServiceError} */
function createConvert(lanes: DocumentLanes, options: TaskOptions): Convert {
  return async (document) => resultOf(defined((await runBatch(lanes, [document], options))[0]));
}

function runBatch(lanes: DocumentLanes, documents: readonly HtmlDocument[], options: TaskOptions) {
  // The document, not the service, is the cause.
  const blame = { outOfMemoryCode: 'DOCUMENT_TOO_COMPLEX', outOfTimeCode: 'DOCUMENT_TOO_SLOW' } as const;
  return runTask(lanes, { documents }, { ...options, ...blame });
}

/** Lanes that answer PLUGIN_FAILED where a thread ended while a plugin ran. */
function blamePlugins(lanes: DocumentLanes): DocumentLanes {
  return {
    threads: lanes.threads,
    async run(batch, options) {
      const running = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      try {
        return await lanes.run({ ...batch, running }, options);
      } catch (error) {
        const cause = error instanceof PoolError ? OF_PLUGINS.get(error.code) : undefined;
        if (cause === undefined || Atomics.load(running, 0) === 0) throw error;
        throw new ServiceError('PLUGIN_FAILED', `a Turndown plugin of this service ${cause}`, { cause: error });
      }
    },
  };
}

/** How a thread may end by the fault of a plugin. */
const OF_PLUGINS: ReadonlyMap<PoolErrorCode, string> = new Map([
  ['TASK_TOO_SLOW', 'exceeded the time limit'],
  ['WORKER_OUT_OF_MEMORY', 'exceeded the memory of its thread'],
  ['WORKER_FAILED', 'ended its thread'],
]);

/** A larger document is a task of its own. One of this size takes a few milliseconds of a thread. */
const SMALL_BYTES = 16 * 1024;
/** A task of so many small documents takes well below a second. */
const MAX_PER_TASK = 64;
const MAX_DOCUMENTS = 1024;
/** Failures of a task that may be due to one of its documents. */
const MAY_BE_ONE: ReadonlySet<string> = new Set([
  'DOCUMENT_TOO_COMPLEX',
  'DOCUMENT_TOO_SLOW',
  'PLUGIN_FAILED',
  'INTERNAL',
]);

/**
 * Converts small documents that come together in one task for each thread: a task costs about as much as such a document.
 * Large documents are tasks of their own.
 */
function convertTogether(lanes: DocumentLanes, options: TaskOptions): Convert {
  const convertAlone = createConvert(lanes, options);
  const add = createBatcher<HtmlDocument, MarkdownDocument>({
    async send(documents) {
      try {
        const answers = await runBatch(lanes, documents, options);
        return documents.map((_, index) => valueIn(answers, index));
      } catch (error) {
        if (documents.length === 1 || !(error instanceof ServiceError) || !MAY_BE_ONE.has(error.code)) throw error;
        return documents.map(convertAlone);
      }
    },
    maxItems: MAX_PER_TASK,
    lanes: lanes.threads,
    feedsThreads: true,
  });
  return (document) => (Buffer.byteLength(document.html) > SMALL_BYTES ? convertAlone : add)(document);
}

/** A promise, so that the failure of one document is not that of its batch. */
const valueIn = async (answers: MarkdownBatch, index: number): Promise<MarkdownDocument> =>
  resultOf(defined(answers[index]));

function responseOf(document: MarkdownDocument): ConvertHtmlResponse {
  const { title, byline, excerpt, markdown, markdownCharacters } = document;
  return {
    title: title ?? undefined,
    byline: byline ?? undefined,
    excerpt: excerpt ?? undefined,
    markdown,
    markdownCharacters,
  };
}
