import { setTimeout as delay } from 'node:timers/promises';
import { createNodeRedisClient, Queue, type Job as QueueEntry, Worker } from 'bullmq';
import { createClient } from 'redis';
import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

export interface RedisQueueOptions {
  readonly redisUrl: string;
  readonly name: string;
  /** Entries that are processed at a time. */
  readonly concurrency: number;
  readonly process: (entry: QueueEntry) => Promise<unknown>;
  /** Number of completed entries, and of failed entries, that are kept. */
  readonly keep: number;
  readonly logger: Logger;
}

export interface RedisQueue {
  /** Resolves once Redis is connected. Calls of the queue wait while Redis is unavailable. */
  readonly queue: Promise<Queue>;
  /** What Redis says of itself. Waits while it is unavailable. */
  info(): Promise<string>;
  /** Takes no more entries, waits for the running ones, and disconnects. Gives up after 5 s if Redis is unavailable. */
  close(): Promise<void>;
}

/** One hash tag puts every key of the queues into one slot. */
const PREFIX = '{tollhouse:jobs}';
const CLOSE_TIMEOUT_MS = 5000;
const RETRY_MS = 500;

/** A BullMQ queue and its worker in this process. */
export function openRedisQueue(options: RedisQueueOptions): RedisQueue {
  const { name, logger } = options;
  const logError = createRepeatedErrorLog({ logger, fields: { queue: name }, message: 'the job queue failed' });
  const closing = new AbortController();
  let link: Link | undefined;

  /**
   * Connects a new worker until one is ready, and starts it only then. BullMQ keeps a failure of the first connection:
   * such a worker would retry in a loop that blocks the event loop.
   */
  async function connect(): Promise<Queue> {
    for (;;) {
      closing.signal.throwIfAborted();
      link = createLink(options, logError);
      try {
        await Promise.all([link.queue.waitUntilReady(), link.worker.waitUntilReady()]);
        closing.signal.throwIfAborted();
        // Failures of the worker are reported as `error` events.
        link.worker.run().catch(() => {});
        return link.queue;
      } catch (err) {
        if (!closing.signal.aborted) logError(err);
        await link.close();
      }
      await delay(RETRY_MS, undefined, { signal: closing.signal });
    }
  }

  const queue = connect();
  queue.catch(() => {});
  return {
    queue,
    async info() {
      await queue;
      return defined(link).info();
    },
    async close() {
      closing.abort();
      await link?.close();
    },
  };
}

interface Link {
  readonly queue: Queue;
  /** Not running yet. */
  readonly worker: Worker;
  info(): Promise<string>;
  close(): Promise<void>;
}

function createLink(
  { redisUrl, name, concurrency, process, keep, logger }: RedisQueueOptions,
  logError: (error: unknown) => void,
): Link {
  const logFailure = createRepeatedErrorLog({ logger, fields: { queue: name }, message: 'a job of the queue failed' });
  const connect = () => {
    const client = createClient({
      url: redisUrl,
      commandOptions: { timeout: 0 },
      socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 2000) },
    });
    return client.on('error', logError);
  };
  const clients = [connect(), connect()] as const;
  const [queueClient, workerClient] = clients;
  const queue = new Queue(name, { connection: adapt(queueClient, logError), prefix: PREFIX });
  const worker = new Worker(name, process, {
    connection: adapt(workerClient, logError),
    prefix: PREFIX,
    autorun: false,
    concurrency,
    removeOnComplete: { count: keep },
    removeOnFail: { count: keep },
  });
  queue.on('error', logError);
  worker.on('error', logError);
  worker.on('failed', (_entry, error) => logFailure(error));
  return {
    queue,
    worker,
    info: () => queueClient.info(),
    async close() {
      await within(CLOSE_TIMEOUT_MS, async () => {
        await worker.close();
        await queue.close();
      });
      // BullMQ does not close the clients that it was given.
      for (const client of clients) if (client.isOpen) client.destroy();
    },
  };
}

/**
 * Adapts a client for BullMQ. BullMQ listens to the errors of an adapter, and of the second connection that it makes from
 * it, only once they are ready. An error before that would end the process.
 */
function adapt(client: Parameters<typeof createNodeRedisClient>[0], logError: (error: unknown) => void) {
  const adapter = createNodeRedisClient(client);
  const duplicate = adapter.duplicate.bind(adapter);
  adapter.on('error', logError);
  adapter.duplicate = (...args) => {
    const copy = duplicate(...args);
    copy.on('error', logError);
    return copy;
  };
  return adapter;
}

/** Waits until the work has succeeded or failed, and at most for `timeoutMs`. */
async function within(timeoutMs: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work().catch(() => {}), late]);
  clearTimeout(timer);
}
