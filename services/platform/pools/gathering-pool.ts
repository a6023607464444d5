import { defined } from '../../../workers/exact/defined.ts';
import { createBatcher } from '../batcher.ts';
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
  const streams = new WeakMap<object, StreamRun<Task, Result>>();
  let opened = 0;

  function runOf(stream: object): StreamRun<Task, Result> {
    const known = streams.get(stream);
    if (known !== undefined) return known;
    opened += 1;
    const run = createStreamRun(fair, { tenant: String(opened), threads: pool.threads, maxTasks });
    streams.set(stream, run);
    return run;
  }

  return {
    run: async (task, { stream, ...options } = {}) => {
      if (stream !== undefined) return runOf(stream)({ task, options });
      const answer = await fair.run({ tasks: [task] }, { ...options, tenant: SINGLE });
      return answer.ok ? defined(answer.value[0]) : answer;
    },
  };
}

interface StreamTask<Task> {
  readonly task: Task;
  readonly options: TaskOptions;
}

type StreamRun<Task, Result> = (task: StreamTask<Task>) => Promise<WorkerAnswer<Result>>;

interface StreamOptions {
  readonly tenant: string;
  readonly threads: number;
  readonly maxTasks: number;
}

/** Runs the tasks of one stream. All have the same signal and deadline. */
function createStreamRun<Task, Result>(
  fair: FairPool<Gathered<Task>, GatheredAnswers<Result>>,
  { tenant, threads, maxTasks }: StreamOptions,
): StreamRun<Task, Result> {
  /** Resolves to the answers to the first tasks, at least to one. */
  async function cross(together: readonly StreamTask<Task>[]): Promise<GatheredAnswers<Result>> {
    const tasks = together.map(({ task }) => task);
    const answer = await fair.run({ tasks }, { ...defined(together[0]).options, tenant });
    if (!answer.ok) return together.map(() => answer);
    const { length } = answer.value;
    if (length === 0 || length > tasks.length) throw new Error(`${length} answers to ${tasks.length} tasks`);
    return answer.value;
  }

  /** Crosses until every task is answered: the thread may have had no time for the last ones. */
  async function send(together: readonly StreamTask<Task>[]) {
    const answers: (WorkerAnswer<Result> | Promise<WorkerAnswer<Result>>)[] = [];
    let size = together.length;
    while (answers.length < together.length) {
      const next = together.slice(answers.length, answers.length + size);
      try {
        answers.push(...(await cross(next)));
      } catch (error) {
        if (next.length > 1 && error instanceof PoolError && MAY_BE_ONE.has(error.code)) size = 1;
        else answers.push(...next.map(() => handled(Promise.reject(error))));
      }
    }
    return answers;
  }

  return createBatcher({ send, maxItems: maxTasks, lanes: threads, feedsThreads: true });
}

/** Failures that may be due to one of several tasks. */
const MAY_BE_ONE: ReadonlySet<string> = new Set(['WORKER_FAILED', 'WORKER_OUT_OF_MEMORY']);

/** Its rejection is seen later. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
