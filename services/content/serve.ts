import { ContentServiceService } from '../../proto/gen/tollhouse/content/v1/content.ts';
import type { HtmlBatch, HtmlWorkerData, MarkdownBatch } from '../../workers/html-to-markdown/worker.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { createPool, PoolError } from '../platform/pools/pool.ts';
import { ConfigurationError } from '../platform/process/environment.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { ContentConfig, readConfig } from './config.ts';
import { createDocumentLanes } from './document-lanes.ts';
import { createContentService } from './service.ts';

/** Longest time for loading the plugins. */
const LOAD_MS = 30_000;
/** Heap of a conversion thread. */
const THREAD_MEMORY_MB = 512;
const LANE_LIMITS = { maxQueue: 64, maxQueueBytes: 64 * 1024 * 1024 };

const { logger, closeOnExit } = watchProcess('content', process.env, ContentConfig);

const config = readConfig(process.env);
const { plugins } = config;
const workerData: HtmlWorkerData = { plugins: plugins?.modules ?? [] };
const pool = createPool<HtmlBatch, MarkdownBatch>({
  worker: new URL('../../workers/html-to-markdown/worker.ts', import.meta.url),
  memoryMb: THREAD_MEMORY_MB,
  workerData,
  ...(config.CONTENT_THREADS === undefined ? {} : { threads: config.CONTENT_THREADS }),
});
if (plugins !== undefined) {
  await loadPlugins();
  logger.info({ plugins: `html-to-markdown:${plugins.digest}` }, 'conversions use Turndown plugins');
}
const lanes = createDocumentLanes(pool, LANE_LIMITS);
const server = await startGrpcServer({
  listen: config.LISTEN,
  identity: config.identity,
  callers: { gateway: 'all', client: 'all' },
  service: ContentServiceService,
  implementation: createContentService({
    lanes,
    timeLimitMs: config.CONTENT_TIME_LIMIT_MS,
    hasPlugins: plugins !== undefined,
    logger,
  }),
  logger,
});
server.setReady(true);

closeOnExit(async () => {
  await server.close();
  await pool.close();
});

/** If a thread cannot load the plugins, this process must fail now, and not at the first caller. */
async function loadPlugins(): Promise<void> {
  const loaded = await pool.run({ documents: [] }, { deadlineMs: Date.now() + LOAD_MS }).catch((error: unknown) => {
    if (error instanceof PoolError) return error;
    throw error;
  });
  if ('message' in loaded) throw new ConfigurationError(`CONTENT_PLUGINS: ${loaded.message}`);
}
