import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-answer.ts';

/** A task and the id that its answer is returned with. */
export interface Numbered<Task> {
  readonly id: number;
  readonly task: Task;
}

/** The last message of a thread that must be replaced. It has no answer if the task threw. */
export interface LastAnswer<T> {
  readonly id: number;
  readonly answer?: WorkerAnswer<T>;
}

/**
 * A worker whose thread is replaced after a task that throws or leaves it worn. The worker never returns from that
 * task. The pool takes the answer from the message and ends the thread before it could get another task.
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
  if (parentPort === null) throw new TypeError('a recycled worker runs in a worker thread');
  parentPort.postMessage(last);
  return new Promise(() => undefined);
}
