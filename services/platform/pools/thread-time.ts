import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { startDeadlineTimer } from '../deadline-timer.ts';

type LoadBalancer = NonNullable<NonNullable<ConstructorParameters<typeof Piscina>[0]>['loadBalancer']>;

/** Receives the id of the thread that runs a task. */
export class Placement {
  threadId: number | undefined;
}

/** The same task with a placement, which `placingBalancer` fills in. The thread does not receive it. */
export function withPlacement<Task>(task: Task, placement: Placement): Task {
  if (typeof task !== 'object' || task === null) throw new TypeError('a task with a time limit must be an object');
  return { ...task, [Piscina.queueOptionsSymbol]: placement };
}

/** Assigns a task to an idle thread, for pools whose threads run one task at a time. */
export const placingBalancer: LoadBalancer = (task, workers) => {
  const worker = workers.find(({ currentUsage }) => currentUsage === 0) ?? null;
  const placement: unknown = Reflect.get(task, Piscina.queueOptionsSymbol);
  if (worker !== null && placement instanceof Placement) placement.threadId = worker.id;
  return worker;
};

/** CPU time that a task's thread has used since its start, in milliseconds; undefined while the task has no thread. */
export async function cpuTimeOf(threads: readonly Worker[], { threadId }: Placement): Promise<number | undefined> {
  const thread = threads.find((one) => one.threadId === threadId);
  if (thread === undefined) return undefined;
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}

/** Part of the time limit before the first reading of the CPU time. Few tasks take that long. */
const FIRST_READING = 0.1;
/** Least part of the time limit that the thread must have had a CPU. It may also wait for the garbage collector. */
const LEAST_CPU_SHARE = 0.5;

/**
 * Calls `end` when a task has used up its time limit on a thread. A paused process or a busy machine is not the task's
 * fault: while its thread has had a CPU for less than half of the limit, the task gets the missing time.
 * @returns a function that stops the watch
 */
export function watchTimeLimit(
  limitMs: number,
  readCpuMs: () => Promise<number | undefined>,
  end: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  // A thread that has just ended reports no time.
  const read = () => readCpuMs().catch(() => undefined);
  const after = (ms: number, next: () => Promise<void>) => {
    if (!isStopped) timer = startDeadlineTimer(() => void next(), ms);
  };

  async function begin(): Promise<void> {
    const startMs = await read();
    if (startMs === undefined) after(limitMs * FIRST_READING, begin);
    else after(limitMs * (1 - FIRST_READING), () => check(startMs));
  }
  async function check(startMs: number): Promise<void> {
    const nowMs = await read();
    const usedMs = nowMs === undefined ? 0 : nowMs - startMs;
    if (usedMs < limitMs * LEAST_CPU_SHARE) after(limitMs - usedMs, () => check(startMs));
    else if (!isStopped) end();
  }

  after(limitMs * FIRST_READING, begin);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
