import type { HtmlDocument, MarkdownDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import { createFairPool } from '../platform/pools/fair-pool.ts';
import type { Pool } from '../platform/pools/pool.ts';

type DocumentPool = Pool<HtmlDocument, MarkdownDocument>;

/** Threads that convert documents. */
export type DocumentLanes = Pick<DocumentPool, 'run' | 'threads'>;

export interface LaneLimits {
  /** Documents that may wait in each lane; more are refused. */
  readonly maxQueue: number;
  /** Bytes of large documents that may wait. */
  readonly maxQueueBytes: number;
}

/** Such a document takes some 200 ms of a thread. Most pages are smaller. */
const LARGE_BYTES = 512 * 1024;

/** Under a constant load of small documents, a large one gets a turn within seconds. */
const LONGEST_SMALL_RUN = 32;

/**
 * Keeps large documents out of the way of small ones. Small documents are served first and may hold every thread, but
 * a large one that waits gets a turn after so many of them. Large ones hold at most all threads but one, or the only one.
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
    run(document, options = {}) {
      const bytes = Buffer.byteLength(document.html);
      return fair.run(document, { ...options, bytes, tenant: bytes > LARGE_BYTES ? 'large' : 'small' });
    },
  };
}
