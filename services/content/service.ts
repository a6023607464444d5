import type {
  ContentServiceServer,
  ConvertHtmlBatchesRequest,
  ConvertHtmlBatchesResponse,
  ConvertHtmlRequest,
  ConvertHtmlResponse,
  ConvertHtmlStreamRequest,
  ConvertHtmlStreamResponse,
} from '../../proto/gen/tollhouse/content/v1/content.ts';
import { defined } from '../../workers/exact/defined.ts';
import type { HtmlDocument, MarkdownDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import type { MarkdownBatch } from '../../workers/html-to-markdown/worker.ts';
import { bulkStream, outcomeOf, outcomesOf } from '../platform/grpc/bulk-stream.ts';
import { unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { MAX_ANSWER_BYTES } from '../platform/grpc/size-limits.ts';
import { PoolError, type PoolErrorCode, type TaskOptions } from '../platform/pools/pool.ts';
import { resultOf, runTask } from '../platform/pools/run-task.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { DocumentLanes } from './document-lanes.ts';

/** One that is converted and one that waits. */
const DOCUMENTS_PER_THREAD = 2;

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
  const answer = async (request: ConvertHtmlRequest | undefined, convert: Convert) =>
    responseOf(await convert(documentOf(request)));
  const answerOne = (request: ConvertHtmlRequest | undefined, context: TaskOptions) =>
    answer(request, createConvert(lanes, { ...context, timeLimitMs }));
  return {
    convertHtml: unary(logger, answerOne),
    convertHtmlBatches: bulkStream<ConvertHtmlBatchesRequest, ConvertHtmlBatchesResponse>({
      maxUnderWay: 1,
      answer: async ({ documents }, context) => {
        if (documents.length > MAX_DOCUMENTS) {
          throw new ServiceError('INVALID_ARGUMENT', `a batch has at most ${MAX_DOCUMENTS} documents`);
        }
        const { convert, start } = gatherDocuments(lanes, { ...context, timeLimitMs });
        const outcomes = outcomesOf(documents, (document) => answer(document, convert), logger);
        start();
        return { outcomes: await outcomes };
      },
      logger,
    }),
    convertHtmlStream: bulkStream<ConvertHtmlStreamRequest, ConvertHtmlStreamResponse>({
      maxUnderWay: lanes.threads * DOCUMENTS_PER_THREAD,
      answer: async ({ id, document }, context) => ({
        id,
        outcome: await outcomeOf(() => answerOne(document, context)),
      }),
      logger,
    }),
  };
}

/** @throws {ServiceError} */
function documentOf(request: ConvertHtmlRequest | undefined): HtmlDocument {
  if (request === undefined) throw new ServiceError('INVALID_ARGUMENT', 'document is missing');
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

interface Gathered {
  readonly document: HtmlDocument;
  readonly answer: PromiseWithResolvers<MarkdownDocument>;
}

/**
 * Converts small documents that come before `start` together, in one task for each thread: a task costs about as much as
 * such a document. Large documents are tasks of their own.
 */
function gatherDocuments(lanes: DocumentLanes, options: TaskOptions) {
  const convertAlone = createConvert(lanes, options);
  const gathered: Gathered[] = [];

  async function convertTogether(chunk: readonly Gathered[]): Promise<void> {
    try {
      const answers = await runBatch(
        lanes,
        chunk.map(({ document }) => document),
        options,
      );
      for (const [index, { answer }] of chunk.entries()) answer.resolve(valueIn(answers, index));
    } catch (error) {
      const isRepeated = chunk.length > 1 && error instanceof ServiceError && MAY_BE_ONE.has(error.code);
      for (const { document, answer } of chunk) {
        if (isRepeated) convertAlone(document).then(answer.resolve, answer.reject);
        else answer.reject(error);
      }
    }
  }

  return {
    convert(document: HtmlDocument): Promise<MarkdownDocument> {
      if (Buffer.byteLength(document.html) > SMALL_BYTES) return convertAlone(document);
      const answer = Promise.withResolvers<MarkdownDocument>();
      gathered.push({ document, answer });
      return answer.promise;
    },
    start(): void {
      const perTask = Math.min(MAX_PER_TASK, Math.ceil(gathered.length / lanes.threads));
      while (gathered.length > 0) void convertTogether(gathered.splice(0, perTask));
    },
  };
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
