import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { LastAnswer, Numbered } from '../../../workers/thread/recycling.ts';
import type { WorkerAnswer } from '../../../workers/thread/worker-answer.ts';
import { startDeadlineTimer } from '../deadline-timer.ts';
import { hasCode } from '../process/system-error.ts';
import { cpuTimeOf, Placement, placingBalancer, watchTimeLimit, withPlacement } from './thread-time.ts';
import { createTurns } from './turns.ts';

export type { WorkerAnswer };

export type PoolErrorCode =
  | 'OVERLOADED'
  | 'DEADLINE_EXCEEDED'
  /** It used its whole time limit on a thread, and the thread had a CPU for at least half of that time. */
  | 'TASK_TOO_SLOW'
  | 'CANCELLED'
  | 'WORKER_OUT_OF_MEMORY'
  | 'WORKER_FAILED';

/** The task was not finished. If a worker had started it, that worker is ended and replaced. */
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
  /** Maximum of tasks that wait for a thread; more are refused. */
  readonly maxQueue?: number;
  /** Size of the old generation of each thread's heap. */
  readonly memoryMb?: number;
  /** Passed to each thread once, as `workerData`. Shared memory in it is not copied. */
  readonly workerData?: unknown;
  /** Whether the worker uses `recycling`: it tells after which task its thread must be replaced. */
  readonly recycling?: boolean;
  /**
   * How long a running task may go on after its end is due, before its thread is ended; 0 by default. A thread that is
   * ended costs more than a short task that nobody waits for.
   */
  readonly graceMs?: number;
}

export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadlineMs?: number;
  /** Longest time on a thread. The time in the queue does not count. The task must be an object. */
  readonly timeLimitMs?: number;
  /** The stream that the task belongs to, for pools that run the tasks of a stream together (`gathering-pool.ts`). */
  readonly stream?: object;
}

export interface Pool<Task, Result> {
  /** @throws {PoolError} */
  run(task: Task, options?: TaskOptions): Promise<WorkerAnswer<Result>>;
  readonly threads: number;
  queued(): number;
  close(): Promise<void>;
}

/**
 * Creates a pool and starts its first thread, so that the first task finds it warm. A task that finds no idle thread
 * starts another one, and runs on whichever is free first. Threads are kept. A thread runs one task at a time.
 */
export function createPool<Task, Result>(options: PoolOptions): Pool<Task, Result> {
  const threads = options.threads ?? availableParallelism();
  const maxQueue = options.maxQueue ?? threads * 32;
  const graceMs = options.graceMs ?? 0;
  const turns = createTurns(threads);
  const piscina = new Piscina<Task | Numbered<Task>, WorkerAnswer<Result>>({
    filename: options.worker.href,
    minThreads: 1,
    maxThreads: threads,
    // Starting a thread again costs more than keeping it: z3 takes a second of a core.
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    loadBalancer: placingBalancer,
    // Tasks wait for their turns before this queue. They wait in it only while a thread starts.
    maxQueue: threads,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 512 },
    workerData: options.workerData,
  });
  const runNumbered = createNumberedRuns(piscina);
  const runNow = async (task: Task, controller: AbortController): Promise<WorkerAnswer<Result>> =>
    options.recycling ? runNumbered(task, controller) : piscina.run(task, { signal: controller.signal });

  async function run(task: Task, options: TaskOptions = {}) {
    const { signal, deadlineMs = Number.POSITIVE_INFINITY, timeLimitMs = Number.POSITIVE_INFINITY } = options;
    if (turns.waiting() >= maxQueue) throw new PoolError('OVERLOADED', 'too many tasks wait');
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) throw new PoolError('DEADLINE_EXCEEDED', 'the deadline has passed');
    if (signal?.aborted) throw new PoolError('CANCELLED', 'the caller went away');
    const ending = createEnding(signal, graceMs);
    ending.after(leftMs, 'DEADLINE_EXCEEDED');
    try {
      await turns.take(ending.controller.signal);
      ending.start();
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

  return { run, threads, queued: turns.waiting, close: () => piscina.destroy() };
}

/** Runs tasks on threads that may retire: such a thread sends its last answer as a message and is then replaced. */
function createNumberedRuns<Task, Result>(piscina: Piscina<Task | Numbered<Task>, WorkerAnswer<Result>>) {
  const retiring = new Map<number, (answer: LastAnswer<Result>) => void>();
  let tasks = 0;
  piscina.on('message', (answer: LastAnswer<Result>) => retiring.get(answer.id)?.(answer));

  /** A retiring thread keeps its task until it is ended here, so that it cannot get another one. */
  return async (task: Task, controller: AbortController): Promise<WorkerAnswer<Result>> => {
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
  };
}

type Ending = ReturnType<typeof createEnding>;

/** Aborts a task for the first of several reasons: at once, or after `graceMs` if it has started. */
function createEnding(signal: AbortSignal | undefined, graceMs: number) {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let cause: PoolErrorCode | undefined;
  let delayMs = 0;
  const end = (code: PoolErrorCode) => {
    cause ??= code;
    if (delayMs === 0) controller.abort();
    else timers.push(setTimeout(() => controller.abort(), delayMs));
  };
  const cancel = () => end('CANCELLED');
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    controller,
    cause: () => cause ?? 'CANCELLED',
    end,
    /** The task has its turn. */
    start() {
      delayMs = graceMs;
    },
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
  if (error instanceof Error && error.name === 'AbortError')
    return new PoolError(abortCause, 'the task was ended', { cause: error });
  if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY'))
    return new PoolError('WORKER_OUT_OF_MEMORY', 'the task ran out of memory', { cause: error });
  return new PoolError('WORKER_FAILED', 'the worker failed', { cause: error });
}
