import { startDeadlineTimer } from '../deadline-timer.ts';
import { type Pool, PoolError, type TaskOptions, type WorkerAnswer } from './pool.ts';

export interface FairPoolOptions {
  /** Maximum of waiting tasks, of one tenant and of all; more are refused. */
  readonly maxQueuePerTenant: number;
  readonly maxQueue: number;
  /** Maximum bytes of a tenant's waiting tasks; unlimited by default. */
  readonly maxQueueBytesPerTenant?: number;
  /** Longest time of a task. A longer task is ended with its thread: DEADLINE_EXCEEDED. Unlimited by default. */
  readonly watchdogMs?: number;
  /** Tenants that are served before others and may use every thread; none by default. */
  readonly priority?: Priority;
}

interface Priority {
  readonly has: (tenant: string) => boolean;
  /** Tasks that are served in a row while a tenant without priority waits. Then that tenant is served. */
  readonly longestRun: number;
}

const NO_PRIORITY: Priority = { has: () => false, longestRun: Number.POSITIVE_INFINITY };

export interface FairTaskOptions extends TaskOptions {
  readonly tenant: string;
  /** Memory of the task while it waits; 0 by default. */
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

/** Counts the running tasks of each tenant, and queues the waiting ones. */
class TenantQueues {
  readonly #threads: number;
  readonly #priority: Priority;
  readonly #running = new Map<string, number>();
  /** In the order of turns: a tenant that was served goes to the end. */
  readonly #queues = new Map<string, Set<Waiting>>();
  /** Tasks with priority that were served in a row while a tenant without priority waited. */
  #priorityRun = 0;

  constructor(threads: number, priority: Priority) {
    this.#threads = threads;
    this.#priority = priority;
  }

  queued(): number {
    return sum([...this.#queues.values()].map(({ size }) => size));
  }

  /** Tasks of the tenant that wait, and their bytes. */
  queuedOf(tenant: string): { readonly tasks: number; readonly bytes: number } {
    const queue = [...this.#queueOf(tenant)];
    return { tasks: queue.length, bytes: sum(queue.map(({ bytes }) => bytes)) };
  }

  /** Starts a task of the tenant, unless it must wait. @returns whether it was started */
  tryBegin(tenant: string): boolean {
    if (this.#queueOf(tenant).size > 0 || !this.#isFree(tenant)) return false;
    this.#begin(tenant);
    return true;
  }

  enqueue(tenant: string, waiting: Waiting): void {
    this.#queues.set(tenant, this.#queueOf(tenant).add(waiting));
  }

  /** Removes a task that waits. @returns false when it has started already */
  remove(tenant: string, waiting: Waiting): boolean {
    const queue = this.#queueOf(tenant);
    if (!queue.delete(waiting)) return false;
    if (queue.size === 0) this.#queues.delete(tenant);
    return true;
  }

  /** Ends a task of the tenant, and starts the tasks that may run now. */
  end(tenant: string): void {
    const left = this.#runningOf(tenant) - 1;
    if (left > 0) this.#running.set(tenant, left);
    else this.#running.delete(tenant);
    for (const [next, queue] of this.#inTurn()) {
      const [first] = queue;
      if (first === undefined || !this.#isFree(next)) continue;
      this.remove(next, first);
      if (queue.size > 0) {
        this.#queues.delete(next);
        this.#queues.set(next, queue);
      }
      this.#begin(next);
      this.#countPriorityRun(next);
      first.begin();
    }
  }

  /** A tenant without waiting tasks has an empty queue. */
  #queueOf(tenant: string): Set<Waiting> {
    return this.#queues.get(tenant) ?? new Set();
  }

  /** A tenant without running tasks is not in the map. */
  #runningOf(tenant: string): number {
    return this.#running.get(tenant) ?? 0;
  }

  #begin(tenant: string): void {
    this.#running.set(tenant, this.#runningOf(tenant) + 1);
  }

  #shareOf(tenant: string): number {
    return this.#priority.has(tenant) ? this.#threads : Math.max(1, this.#threads - 1);
  }

  #isFree(tenant: string): boolean {
    return sum(this.#running.values()) < this.#threads && this.#runningOf(tenant) < this.#shareOf(tenant);
  }

  #inTurn(): readonly (readonly [string, Set<Waiting>])[] {
    const isRunOver = this.#priorityRun >= this.#priority.longestRun;
    const isFirst = (tenant: string) => this.#priority.has(tenant) !== isRunOver;
    return [...this.#queues].sort(([one], [other]) => Number(isFirst(other)) - Number(isFirst(one)));
  }

  #countPriorityRun(served: string): void {
    const { has } = this.#priority;
    const isPassingOver = has(served) && [...this.#queues.keys()].some((waiting) => !has(waiting));
    this.#priorityRun = isPassingOver ? this.#priorityRun + 1 : 0;
  }
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/**
 * Shares a pool between tenants. A tenant has at most all threads but one (or the only one), so that no tenant can block
 * the others. Waiting tasks are served in turn, tenant by tenant. The pool's own queue stays empty.
 */
export function createFairPool<Task, Result>(
  pool: Pick<Pool<Task, Result>, 'run' | 'threads'>,
  options: FairPoolOptions,
): FairPool<Task, Result> {
  const { watchdogMs = Number.POSITIVE_INFINITY, priority = NO_PRIORITY } = options;
  const queues = new TenantQueues(pool.threads, priority);
  return {
    queued: () => queues.queued(),
    async run(task, { tenant, bytes = 0, ...taskOptions }) {
      const { signal, deadlineMs = Number.POSITIVE_INFINITY } = taskOptions;
      if (signal?.aborted) throw new PoolError('CANCELLED', 'the caller went away');
      if (!queues.tryBegin(tenant)) {
        assertRoom(queues, options, { tenant, bytes });
        await waitForTurn(queues, { tenant, bytes, signal, deadlineMs });
      }
      try {
        const endMs = Math.min(deadlineMs, Date.now() + watchdogMs);
        return await pool.run(task, { ...taskOptions, deadlineMs: endMs });
      } finally {
        queues.end(tenant);
      }
    },
  };
}

interface WaitingTask {
  readonly tenant: string;
  readonly bytes: number;
}

/** @throws {PoolError} OVERLOADED */
function assertRoom(queues: TenantQueues, options: FairPoolOptions, { tenant, bytes }: WaitingTask): void {
  const { maxQueuePerTenant, maxQueue, maxQueueBytesPerTenant = Number.POSITIVE_INFINITY } = options;
  const own = queues.queuedOf(tenant);
  const isFull = own.tasks >= maxQueuePerTenant || queues.queued() >= maxQueue;
  if (isFull || own.bytes + bytes > maxQueueBytesPerTenant) throw new PoolError('OVERLOADED', 'too many tasks wait');
}

interface Wait extends WaitingTask {
  readonly signal: AbortSignal | undefined;
  readonly deadlineMs: number;
}

/** Resolves when the task has a thread, which `end` frees. @throws {PoolError} CANCELLED, DEADLINE_EXCEEDED */
async function waitForTurn(queues: TenantQueues, { tenant, bytes, signal, deadlineMs }: Wait): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting: Waiting = { begin: resolve, bytes };
  queues.enqueue(tenant, waiting);
  const giveUp = (code: 'CANCELLED' | 'DEADLINE_EXCEEDED') => {
    // A task that has just started is no longer in the queue.
    if (queues.remove(tenant, waiting)) reject(new PoolError(code, 'the task ended before it started'));
  };
  const cancel = () => giveUp('CANCELLED');
  const leftMs = deadlineMs - Date.now();
  const timer = Number.isFinite(leftMs) ? startDeadlineTimer(() => giveUp('DEADLINE_EXCEEDED'), leftMs) : undefined;
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
