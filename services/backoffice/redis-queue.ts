import { createNodeRedisClient, Queue, type Job as QueueEntry, Worker } from 'bullmq';
import { createClient } from 'redis';
import type { Logger } from '../shared/logger.ts';

export interface RedisQueueOptions {
  readonly redisUrl: string;
  readonly name: string;
  /** Entries that are worked on at a time. */
  readonly concurrency: number;
  readonly process: (entry: QueueEntry) => Promise<unknown>;
  /** How many entries that are done are kept, of each kind. */
  readonly keep: number;
  readonly logger: Logger;
}

export interface RedisQueue {
  readonly queue: Queue;
  /** Takes no more entries, waits for those under way, and lets go of Redis; of a Redis that is away after a while. */
  close(): Promise<void>;
}

/** One hash tag, so that every key of the queues is in one slot. */
const PREFIX = '{tollhouse:jobs}';
const CLOSE_TIMEOUT_MS = 5000;

/** A BullMQ queue and its worker in this process. It waits for Redis, at first and whenever it is away. */
export function openRedisQueue(options: RedisQueueOptions): RedisQueue {
  const { redisUrl, name, logger, keep } = options;
  const warn = (err: Error) => logger.warn({ err, queue: name }, 'job queue');
  // BullMQ does not close the clients that it was given.
  const connect = () => {
    const client = createClient({
      url: redisUrl,
      commandOptions: { timeout: 0 },
      socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 2000) },
    });
    return client.on('error', warn);
  };
  const clients = [connect(), connect()] as const;
  const [queueClient, workerClient] = clients;
  const queue = new Queue(name, { connection: createNodeRedisClient(queueClient), prefix: PREFIX });
  const worker = new Worker(name, options.process, {
    connection: createNodeRedisClient(workerClient),
    prefix: PREFIX,
    concurrency: options.concurrency,
    removeOnComplete: { count: keep },
    removeOnFail: { count: keep },
  });
  queue.on('error', warn);
  worker.on('error', warn);
  worker.on('failed', (entry, err) => logger.error({ err, queue: name, job: entry?.name }, 'job failed'));
  return {
    queue,
    async close() {
      await within(CLOSE_TIMEOUT_MS, async () => {
        await worker.close();
        await queue.close();
      });
      for (const client of clients) if (client.isOpen) client.destroy();
    },
  };
}

async function within(timeoutMs: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work(), late]);
  clearTimeout(timer);
}
