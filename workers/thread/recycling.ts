import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-answer.ts';

export interface Numbered<Task> {
  readonly id: number;
  readonly task: Task;
}

/** Of a thread that is to be replaced. Without an answer, the task threw. */
export interface LastAnswer<T> {
  readonly id: number;
  readonly answer?: WorkerAnswer<T>;
}

/**
 * A worker whose thread is replaced after a task that threw, and after one that leaves it worn. It does not return from
 * that task: the pool takes the answer, and ends the thread before another task can be given to it.
 */
export function recycling<Task, T>(run: (task: Task) => WorkerAnswer<T>, isWorn: () => boolean) {
  return ({ id, task }: Numbered<Task>): WorkerAnswer<T> | Promise<never> => {
    let answer: WorkerAnswer<T>;
    try {
      answer = run(task);
    } catch {
      return retire({ id });
    }
    return isWorn() ? retire({ id, answer }) : answer;
  };
}

function retire(last: LastAnswer<unknown>): Promise<never> {
  parentPort?.postMessage(last);
  return new Promise(() => undefined);
}
