import type { HtmlBatch, MarkdownBatch } from '../../workers/html-to-markdown/worker.ts';
import { createFairPool } from '../platform/pools/fair-pool.ts';
import type { Pool } from '../platform/pools/pool.ts';

type DocumentPool = Pool<HtmlBatch, MarkdownBatch>;

/** The threads that convert documents, with a lane for small and one for large documents. */
export type DocumentLanes = Pick<DocumentPool, 'run' | 'threads'>;

export interface LaneLimits {
  /** Maximum of documents, or batches of small documents, that wait in each lane; more are refused. */
  readonly maxQueue: number;
  /** Maximum bytes of large documents that wait. */
  readonly maxQueueBytes: number;
}

/** A larger document counts as large. One of this size takes about 200 ms of a thread. Most pages are smaller. */
const LARGE_BYTES = 512 * 1024;

/** Small documents that are served in a row while a large one waits. So a large one is served within seconds. */
const LONGEST_SMALL_RUN = 32;

/**
 * Keeps large documents from delaying small ones. Small documents are served first and may use every thread. After
 * `LONGEST_SMALL_RUN` of them, a waiting large one is served. Large ones use at most all threads but one, or the only one.
 */
export function createDocumentLanes(
  pool: Pick<DocumentPool, 'run' | 'threads'>,
  { maxQueue, maxQueueBytes }: LaneLimits,
): DocumentLanes {
  const fair = createFairPool(pool, {
    maxQueuePerTenant: maxQueue,
    maxQueueBytesPerTenant: maxQueueBytes,
    maxQueue: 2 * maxQueue,
    priority: { has: (lane) => lane === 'small', longestRun: LONGEST_SMALL_RUN },
  });
  return {
    threads: pool.threads,
    run(batch, options = {}) {
      const bytes = batch.documents.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
      return fair.run(batch, { ...options, bytes, tenant: bytes > LARGE_BYTES ? 'large' : 'small' });
    },
  };
}
