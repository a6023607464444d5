import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Attempts } from './attempts.ts';
import type { Runner } from './runner.ts';

export interface WorkerOptions {
  readonly attempts: Pick<Attempts, 'startNext'>;
  readonly runner: Runner;
  /** Jobs that run at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** Runs the jobs that are due. */
export interface Worker {
  /** A job may be due now. Jobs that other copies submit, or that are given back, are found without it. */
  wakeUp(): void;
  /** Gives running jobs back, and starts no more. */
  close(): Promise<void>;
}

/** How long a job waits that nobody wakes this copy up for. */
const LOOK_EVERY_MS = 500;

export function startWorker({ attempts, runner, concurrency, logger }: WorkerOptions): Worker {
  const logError = createRepeatedErrorLog({ logger, message: 'due jobs could not be started or ended now' });
  const running = new Set<Promise<void>>();
  let isClosing = false;
  let isNews = false;
  let resume = () => {};

  const wakeUp = () => {
    isNews = true;
    resume();
  };

  async function rest(): Promise<void> {
    if (!isNews) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        resume = resolve;
        timer = setTimeout(resolve, LOOK_EVERY_MS);
      });
      clearTimeout(timer);
    }
    isNews = false;
  }

  /** @returns whether there was one */
  async function startOne(): Promise<boolean> {
    const sinceMs = performance.now();
    const attempt = await attempts.startNext();
    if (attempt === undefined) return false;
    const run: Promise<void> = runner
      .run(attempt, sinceMs)
      .catch(logError)
      .finally(() => {
        running.delete(run);
        wakeUp();
      });
    running.add(run);
    return true;
  }

  async function work(): Promise<void> {
    while (!isClosing) {
      const isStarted = running.size < concurrency && (await startOne().catch(logError));
      if (!isStarted) await rest();
    }
  }

  const working = work();
  return {
    wakeUp,
    async close() {
      isClosing = true;
      runner.stop();
      wakeUp();
      await working;
      await Promise.all(running);
    },
  };
}
