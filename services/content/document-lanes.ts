import { createFairPool } from '../../workers/fair-pool.ts';
import type { HtmlDocument, MarkdownDocument } from '../../workers/html-to-markdown/html-to-markdown.ts';
import type { Pool } from '../../workers/pool.ts';

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

/**
 * Keeps large documents out of the way of small ones. Small documents are served first and may hold every thread. Large
 * ones hold at most all threads but one, or the only one.
 */
export function createDocumentLanes(
  pool: Pick<DocumentPool, 'run' | 'threads'>,
  { maxQueue, maxQueueBytes }: LaneLimits,
): DocumentLanes {
  const fair = createFairPool(pool, {
    maxQueuePerTenant: maxQueue,
    maxQueueBytesPerTenant: maxQueueBytes,
    maxQueue: 2 * maxQueue,
    hasPriority: (lane) => lane === 'small',
  });
  return {
    threads: pool.threads,
    run(document, options = {}) {
      const bytes = Buffer.byteLength(document.html);
      return fair.run(document, { ...options, bytes, tenant: bytes > LARGE_BYTES ? 'large' : 'small' });
    },
  };
}
