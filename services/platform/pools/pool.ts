import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { LastAnswer, Numbered } from '../../../workers/thread/recycling.ts';
import type { WorkerAnswer } from '../../../workers/thread/worker-answer.ts';
import { startDeadlineTimer } from './deadline-timer.ts';
import { cpuTimeOf, Placement, placingBalancer, watchTimeLimit, withPlacement } from './thread-time.ts';
import { createTurns } from './turns.ts';

export type { WorkerAnswer };

export type PoolErrorCode =
  | 'OVERLOADED'
  | 'DEADLINE_EXCEEDED'
  /** It had a thread for all of its time limit, and the thread had a CPU for at least half of it. */
  | 'TASK_TOO_SLOW'
  | 'CANCELLED'
  | 'WORKER_OUT_OF_MEMORY'
  | 'WORKER_FAILED';

/** The task was not finished. Its worker, where one had begun it, is ended and replaced. */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly code: PoolErrorCode;

  constructor(code: PoolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface PoolOptions {
  /** The worker's module. */
  readonly worker: URL;
  readonly threads?: number;
  /** Tasks that may wait for a thread; more are refused. */
  readonly maxQueue?: number;
  /** Old generation of each thread's heap. */
  readonly memoryMb?: number;
  /** What each thread is given once, as `workerData`: shared memory in it is not copied. */
  readonly workerData?: unknown;
  /** The worker is one of `recycling`, and says after which task its thread is to be replaced. */
  readonly recycling?: boolean;
}

export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadlineMs?: number;
  /** Longest time on a thread. The time in the queue does not count. The task must be an object. */
  readonly timeLimitMs?: number;
}

export interface Pool<Task, Result> {
  /** @throws {PoolError} */
  run(task: Task, options?: TaskOptions): Promise<WorkerAnswer<Result>>;
  readonly threads: number;
  queued(): number;
  close(): Promise<void>;
}

/** Starts the threads at once, so that the first task finds them warm. One task a thread at a time. */
export function createPool<Task, Result>(options: PoolOptions): Pool<Task, Result> {
  const threads = options.threads ?? availableParallelism();
  const maxQueue = options.maxQueue ?? threads * 32;
  const turns = createTurns(threads);
  const retiring = new Map<number, (answer: LastAnswer<Result>) => void>();
  let tasks = 0;
  const piscina = new Piscina<Task | Numbered<Task>, WorkerAnswer<Result>>({
    filename: options.worker.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    loadBalancer: placingBalancer,
    // Tasks wait for their turns, and here only while a thread is being replaced.
    maxQueue: threads,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 512 },
    workerData: options.workerData,
  });
  piscina.on('message', (answer: LastAnswer<Result>) => retiring.get(answer.id)?.(answer));

  /** The thread is held by its task until it is ended here, so that no other task can be given to it meanwhile. */
  async function runNumbered(task: Task, controller: AbortController): Promise<WorkerAnswer<Result>> {
    const id = tasks++;
    const last = new Promise<LastAnswer<Result>>((resolve) => retiring.set(id, resolve));
    try {
      const first = await Promise.race([piscina.run({ id, task }, { signal: controller.signal }), last]);
      if (!('id' in first)) return first;
      controller.abort();
      if (first.answer === undefined) throw new PoolError('WORKER_FAILED', 'the worker failed');
      return first.answer;
    } finally {
      retiring.delete(id);
    }
  }

  async function run(task: Task, options: TaskOptions = {}) {
    const { signal, deadlineMs = Number.POSITIVE_INFINITY, timeLimitMs = Number.POSITIVE_INFINITY } = options;
    if (turns.waiting() >= maxQueue) throw new PoolError('OVERLOADED', 'too many tasks wait');
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) throw new PoolError('DEADLINE_EXCEEDED', 'the deadline has passed');
    if (signal?.aborted) throw new PoolError('CANCELLED', 'the caller went away');
    const ending = createEnding(signal);
    ending.after(leftMs, 'DEADLINE_EXCEEDED');
    try {
      await turns.take(ending.controller.signal);
      return await runWithin(timeLimitMs, task, ending).finally(() => turns.end());
    } catch (error) {
      if (error instanceof PoolError) throw error;
      throw toPoolError(error, ending.cause());
    } finally {
      ending.clear();
    }
  }

  /** Runs a task that has its turn. */
  async function runWithin(timeLimitMs: number, task: Task, { controller, end }: Ending) {
    if (!Number.isFinite(timeLimitMs)) return runNow(task, controller);
    const placement = new Placement();
    const readCpuMs = () => cpuTimeOf(piscina.threads, placement);
    const stop = watchTimeLimit(timeLimitMs, readCpuMs, () => end('TASK_TOO_SLOW'));
    return await runNow(withPlacement(task, placement), controller).finally(stop);
  }

  const runNow = async (task: Task, controller: AbortController): Promise<WorkerAnswer<Result>> =>
    options.recycling ? runNumbered(task, controller) : piscina.run(task, { signal: controller.signal });

  return { run, threads, queued: turns.waiting, close: () => piscina.destroy() };
}

type Ending = ReturnType<typeof createEnding>;

/** Aborts a task for the first of several reasons. */
function createEnding(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let cause: PoolErrorCode = 'CANCELLED';
  const cancel = () => controller.abort();
  signal?.addEventListener('abort', cancel, { once: true });
  const end = (code: PoolErrorCode) => {
    if (!controller.signal.aborted) cause = code;
    controller.abort();
  };
  return {
    controller,
    cause: () => cause,
    end,
    after(ms: number, code: PoolErrorCode) {
      if (Number.isFinite(ms)) timers.push(startDeadlineTimer(() => end(code), ms));
    },
    clear() {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}

function toPoolError(error: unknown, abortCause: PoolErrorCode): PoolError {
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'AbortError') return new PoolError(abortCause, 'the task was ended', { cause: error });
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new PoolError('WORKER_OUT_OF_MEMORY', 'the task ran out of memory', { cause: error });
  return new PoolError('WORKER_FAILED', 'the worker failed', { cause: error });
}
