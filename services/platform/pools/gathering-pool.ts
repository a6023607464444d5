import { defined } from '../../../workers/exact/defined.ts';
import { createFairPool, type FairPool } from './fair-pool.ts';
import { type Pool, PoolError, type TaskOptions, type WorkerAnswer } from './pool.ts';

/** Tasks that cross to a thread together. */
export interface Gathered<Task> {
  readonly tasks: readonly Task[];
}

/** Answers to the first tasks of `Gathered`, at least to one. The worker stops after some milliseconds. */
export type GatheredAnswers<Result> = readonly WorkerAnswer<Result>[];

export interface GatheringPoolOptions {
  /** Maximum of calls that wait for a thread, where what a stream has ready counts once; more are refused. */
  readonly maxQueue: number;
  /** Most tasks that cross to a thread together. */
  readonly maxTasks: number;
  /** Single tasks that are run in a row while streams wait. Then a stream has its turn. */
  readonly longestRun: number;
}

/** Tenant of tasks without a stream. Streams are numbered. */
const SINGLE = 'single';

/**
 * Runs the tasks of a stream together, because to cross to a thread costs about as much as a short task. Single tasks go
 * first, and streams take turns. A stream has at most all threads but one (or the only one).
 *
 * Tasks whose thread fails run again alone, so that only the task that is the cause has the failure.
 */
export function createGatheringPool<Task, Result>(
  pool: Pick<Pool<Gathered<Task>, GatheredAnswers<Result>>, 'run' | 'threads'>,
  { maxQueue, maxTasks, longestRun }: GatheringPoolOptions,
): Pick<Pool<Task, Result>, 'run'> {
  const fair = createFairPool(pool, {
    maxQueue,
    maxQueuePerTenant: maxQueue,
    priority: { has: (tenant) => tenant === SINGLE, longestRun },
  });
  const streams = new WeakMap<object, StreamTasks<Task, Result>>();
  let opened = 0;

  function tasksOf(stream: object): StreamTasks<Task, Result> {
    const known = streams.get(stream);
    if (known !== undefined) return known;
    opened += 1;
    const tasks = new StreamTasks(fair, { tenant: String(opened), threads: pool.threads, maxTasks });
    streams.set(stream, tasks);
    return tasks;
  }

  return {
    run: async (task, { stream, ...options } = {}) => {
      if (stream !== undefined) return tasksOf(stream).run(task, options);
      const answer = await fair.run({ tasks: [task] }, { ...options, tenant: SINGLE });
      return answer.ok ? defined(answer.value[0]) : answer;
    },
  };
}

interface Waiting<Task, Result> {
  readonly task: Task;
  readonly options: TaskOptions;
  readonly answer: PromiseWithResolvers<WorkerAnswer<Result>>;
  /** It was among tasks whose thread failed. */
  readonly isAlone: boolean;
}

interface StreamOptions {
  readonly tenant: string;
  readonly threads: number;
  readonly maxTasks: number;
}

/** The tasks of one stream. All have the same signal and deadline. */
class StreamTasks<Task, Result> {
  readonly #fair: FairPool<Gathered<Task>, GatheredAnswers<Result>>;
  readonly #options: StreamOptions;
  #waiting: Waiting<Task, Result>[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(fair: FairPool<Gathered<Task>, GatheredAnswers<Result>>, options: StreamOptions) {
    this.#fair = fair;
    this.#options = options;
  }

  run(task: Task, options: TaskOptions): Promise<WorkerAnswer<Result>> {
    const answer = Promise.withResolvers<WorkerAnswer<Result>>();
    this.#waiting.push({ task, options, answer, isAlone: false });
    this.#schedule();
    return answer.promise;
  }

  /** What else this turn of the event loop brings goes together. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#running >= this.#options.threads) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.threads) void this.#send(this.#take());
  }

  /** A share of the waiting tasks for each thread that is free. */
  #take(): readonly Waiting<Task, Result>[] {
    const { threads, maxTasks } = this.#options;
    const share = Math.min(maxTasks, Math.ceil(this.#waiting.length / (threads - this.#running)));
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const end = alone === -1 ? share : Math.min(share, Math.max(alone, 1));
    return this.#waiting.splice(0, end);
  }

  async #send(together: readonly Waiting<Task, Result>[]): Promise<void> {
    this.#running += 1;
    const { options } = defined(together[0]);
    const tasks = together.map(({ task }) => task);
    const settle = await this.#fair.run({ tasks }, { ...options, tenant: this.#options.tenant }).then(
      (answer) => this.#finish(together, answer),
      (error: unknown) => this.#fail(together, error),
    );
    this.#running -= 1;
    // The thread gets its next tasks before the answers to these are used.
    this.#start();
    settle();
  }

  /** Puts back tasks that the thread had no time for. @returns a function that settles the others */
  #finish(together: readonly Waiting<Task, Result>[], answer: WorkerAnswer<GatheredAnswers<Result>>): () => void {
    if (!answer.ok) return () => settleAll(together, (waiting) => waiting.resolve(answer));
    const answers = answer.value;
    if (answers.length === 0 || answers.length > together.length) {
      const error = new Error(`${answers.length} answers to ${together.length} tasks`);
      return () => settleAll(together, (waiting) => waiting.reject(error));
    }
    this.#waiting.unshift(...together.slice(answers.length));
    return () => {
      for (const [index, own] of answers.entries()) defined(together[index]).answer.resolve(own);
    };
  }

  /** Puts back tasks of which one may have ended the thread. @returns a function that rejects the tasks otherwise */
  #fail(together: readonly Waiting<Task, Result>[], error: unknown): () => void {
    const isRepeated = together.length > 1 && error instanceof PoolError && MAY_BE_ONE.has(error.code);
    if (!isRepeated) return () => settleAll(together, (waiting) => waiting.reject(error));
    this.#waiting.unshift(...together.map((waiting) => ({ ...waiting, isAlone: true })));
    return () => undefined;
  }
}

/** Failures that may be due to one of several tasks. */
const MAY_BE_ONE: ReadonlySet<string> = new Set(['WORKER_FAILED', 'WORKER_OUT_OF_MEMORY']);

function settleAll<Task, Result>(
  together: readonly Waiting<Task, Result>[],
  settle: (answer: PromiseWithResolvers<WorkerAnswer<Result>>) => void,
): void {
  for (const { answer } of together) settle(answer);
}
