import { ContentServiceService } from '../../proto/gen/tollhouse/content/v1/content.ts';
import type { HtmlBatch, MarkdownBatch } from '../../workers/html-to-markdown/worker.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { createPool } from '../platform/pools/pool.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { ContentConfig, readConfig } from './config.ts';
import { createDocumentLanes } from './document-lanes.ts';
import { createContentService } from './service.ts';

const { logger, closeOnExit } = watchProcess('content', process.env, ContentConfig);
const config = readConfig(process.env);
const pool = createPool<HtmlBatch, MarkdownBatch>({
  worker: new URL('../../workers/html-to-markdown/worker.ts', import.meta.url),
  memoryMb: config.CONTENT_THREAD_MEMORY_MB,
  ...(config.CONTENT_THREADS === undefined ? {} : { threads: config.CONTENT_THREADS }),
});
const lanes = createDocumentLanes(pool, {
  maxQueue: config.CONTENT_QUEUE,
  maxQueueBytes: config.CONTENT_QUEUE_MB * 1024 * 1024,
});
const server = await startGrpcServer({
  listen: config.LISTEN,
  identity: config.identity,
  callers: { gateway: 'all', client: 'all' },
  service: ContentServiceService,
  serviceName: 'tollhouse.content.v1.ContentService',
  protoFile: 'tollhouse/content/v1/content.proto',
  implementation: createContentService({ lanes, timeLimitMs: config.CONTENT_TIME_LIMIT_MS, logger }),
  logger,
});
server.setReady(true);

closeOnExit(async () => {
  await server.close();
  await pool.close();
});
