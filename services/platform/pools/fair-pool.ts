import { startDeadlineTimer } from './deadline-timer.ts';
import { type Pool, PoolError, type TaskOptions, type WorkerAnswer } from './pool.ts';

export interface FairPoolOptions {
  /** Tasks that may wait, of one tenant and of all; more are refused. */
  readonly maxQueuePerTenant: number;
  readonly maxQueue: number;
  /** Bytes of tasks that may wait, of one tenant; any number by default. */
  readonly maxQueueBytesPerTenant?: number;
  /** A task that runs longer is ended with its thread: DEADLINE_EXCEEDED, as at its caller's own deadline. */
  readonly watchdogMs?: number;
  /** Tenants that are served before the others and may hold every thread; none by default. */
  readonly priority?: Priority;
}

interface Priority {
  readonly has: (tenant: string) => boolean;
  /** Tasks that may be served in a row while a tenant without priority waits. Then that tenant is served. */
  readonly longestRun: number;
}

const NO_PRIORITY: Priority = { has: () => false, longestRun: Number.POSITIVE_INFINITY };

export interface FairTaskOptions extends TaskOptions {
  readonly tenant: string;
  /** Memory that the task takes while it waits; none by default. */
  readonly bytes?: number;
}

export interface FairPool<Task, Result> {
  /** @throws {PoolError} */
  run(task: Task, options: FairTaskOptions): Promise<WorkerAnswer<Result>>;
  queued(): number;
}

interface Waiting {
  readonly begin: () => void;
  readonly bytes: number;
}

/**
 * Shares a pool between tenants. A tenant holds at most all threads but one (or the only one), so that nobody can keep the
 * others out. Tasks that wait are served in turn, tenant by tenant. The pool's own queue stays empty.
 */
export function createFairPool<Task, Result>(
  pool: Pick<Pool<Task, Result>, 'run' | 'threads'>,
  {
    maxQueuePerTenant,
    maxQueue,
    maxQueueBytesPerTenant = Number.POSITIVE_INFINITY,
    watchdogMs = Number.POSITIVE_INFINITY,
    priority = NO_PRIORITY,
  }: FairPoolOptions,
): FairPool<Task, Result> {
  const shareOf = (tenant: string) => (priority.has(tenant) ? pool.threads : Math.max(1, pool.threads - 1));
  const running = new Map<string, number>();
  // Kept in the order of turns: a tenant that was served goes to the end.
  const queues = new Map<string, Set<Waiting>>();
  const runningOf = (tenant: string) => running.get(tenant) ?? 0;
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  const queued = () => sum([...queues.values()].map(({ size }) => size));
  const bytesIn = (queue: Set<Waiting>) => sum([...queue].map(({ bytes }) => bytes));
  const isFree = (tenant: string) => sum(running.values()) < pool.threads && runningOf(tenant) < shareOf(tenant);
  /** Tasks with priority that were served in a row while a tenant without priority waited. */
  let priorityRun = 0;
  const isFirst = (tenant: string) => {
    const isRunOver = priorityRun >= priority.longestRun;
    return priority.has(tenant) !== isRunOver;
  };
  const inTurn = () => [...queues].sort(([one], [other]) => Number(isFirst(other)) - Number(isFirst(one)));
  const countRun = (served: string) => {
    const isPassingOver = priority.has(served) && [...queues.keys()].some((waiting) => !priority.has(waiting));
    priorityRun = isPassingOver ? priorityRun + 1 : 0;
  };

  function begin(tenant: string): void {
    running.set(tenant, runningOf(tenant) + 1);
  }

  function end(tenant: string): void {
    const left = runningOf(tenant) - 1;
    if (left > 0) running.set(tenant, left);
    else running.delete(tenant);
    for (const [next, queue] of inTurn()) {
      const [first] = queue;
      if (first === undefined || !isFree(next)) continue;
      leave(next, queue, first);
      if (queue.size > 0) {
        queues.delete(next);
        queues.set(next, queue);
      }
      begin(next);
      countRun(next);
      first.begin();
    }
  }

  function leave(tenant: string, queue: Set<Waiting>, waiting: Waiting): void {
    queue.delete(waiting);
    if (queue.size === 0) queues.delete(tenant);
  }

  /** Resolves when the task has a thread, which `end` gives back. */
  async function turn(options: FairTaskOptions): Promise<void> {
    const { tenant, signal, deadlineMs = Number.POSITIVE_INFINITY, bytes = 0 } = options;
    const queue = queues.get(tenant) ?? new Set();
    if (queue.size === 0 && isFree(tenant)) return begin(tenant);
    const isFull = queue.size >= maxQueuePerTenant || queued() >= maxQueue;
    if (isFull || bytesIn(queue) + bytes > maxQueueBytesPerTenant) {
      throw new PoolError('OVERLOADED', 'too many tasks wait');
    }
    queues.set(tenant, queue);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { begin: resolve, bytes };
    queue.add(waiting);
    const giveUp = (code: 'CANCELLED' | 'DEADLINE_EXCEEDED') => {
      // It may have been served a moment ago; then it is no longer this queue's.
      if (!queue.has(waiting)) return;
      leave(tenant, queue, waiting);
      reject(new PoolError(code, 'the task was ended before it was begun'));
    };
    const cancel = () => giveUp('CANCELLED');
    const leftMs = deadlineMs - Date.now();
    const timer = Number.isFinite(leftMs) ? startDeadlineTimer(() => giveUp('DEADLINE_EXCEEDED'), leftMs) : undefined;
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  async function run(task: Task, options: FairTaskOptions): Promise<WorkerAnswer<Result>> {
    const { tenant, bytes: _, ...taskOptions } = options;
    const { signal, deadlineMs = Number.POSITIVE_INFINITY } = taskOptions;
    if (signal?.aborted) throw new PoolError('CANCELLED', 'the caller went away');
    await turn(options);
    try {
      const endMs = Math.min(deadlineMs, Date.now() + watchdogMs);
      return await pool.run(task, { ...taskOptions, deadlineMs: endMs });
    } finally {
      end(tenant);
    }
  }

  return { run, queued };
}
