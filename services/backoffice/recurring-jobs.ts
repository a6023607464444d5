import { createNodeRedisClient, Queue, Worker } from 'bullmq';
import { createClient } from 'redis';
import type { Logger } from '../shared/logger.ts';

/** Work that is done again and again, by one of the copies at a time. */
export interface RecurringJob {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

export interface Jobs {
  close(): Promise<void>;
}

const QUEUE = 'backoffice';
/** One hash tag, so that every key of the queue is in one slot. */
const PREFIX = '{tollhouse:jobs}';
const KEEP = { count: 100 };

/**
 * Runs recurring jobs from a BullMQ queue. The queue only says when: what is owed stands in PostgreSQL, and losing
 * Redis loses none of it.
 */
export async function startJobs(options: {
  readonly redisUrl: string;
  readonly jobs: readonly RecurringJob[];
  readonly logger: Logger;
}): Promise<Jobs> {
  const { redisUrl, jobs, logger } = options;
  // BullMQ does not close the clients that it was given.
  const connect = () => {
    const client = createClient({
      url: redisUrl,
      commandOptions: { timeout: 0 },
      socket: { reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 2000) },
    });
    client.on('error', (err: Error) => logger.warn({ err }, 'job queue'));
    return client;
  };
  const clients = [connect(), connect()] as const;
  const [queueClient, workerClient] = clients;
  const queue = new Queue(QUEUE, { connection: createNodeRedisClient(queueClient), prefix: PREFIX });
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const worker = new Worker(QUEUE, async ({ name }) => byName.get(name)?.run(), {
    connection: createNodeRedisClient(workerClient),
    prefix: PREFIX,
    concurrency: jobs.length,
    removeOnComplete: KEEP,
    removeOnFail: KEEP,
  });
  queue.on('error', (err) => logger.warn({ err }, 'job queue'));
  worker.on('error', (err) => logger.warn({ err }, 'job worker'));
  worker.on('failed', (job, err) => logger.error({ err, job: job?.name }, 'job failed'));
  for (const { name, everyMs } of jobs) await queue.upsertJobScheduler(name, { every: everyMs }, { name });
  return {
    async close() {
      await worker.close();
      await queue.close();
      for (const client of clients) if (client.isOpen) client.destroy();
    },
  };
}
