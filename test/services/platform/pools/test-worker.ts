import { threadId } from 'node:worker_threads';
import type { WorkerAnswer } from '../../../../services/platform/pools/pool.ts';

export interface TestTask {
  readonly kind: 'answer' | 'thread' | 'refuse' | 'spin' | 'stall' | 'allocate' | 'throw';
}

/** How long the thread of a `stall` task has no CPU. */
export const STALL_MS = 2000;

/** Behaves like a hostile or broken task. */
export default function run({ kind: task }: TestTask): WorkerAnswer<string> {
  if (task === 'thread') return { ok: true, value: String(threadId) };
  if (task === 'refuse') return { ok: false, code: 'REFUSED', message: 'no' };
  if (task === 'throw') throw new Error('broken');
  if (task === 'spin') for (;;);
  if (task === 'stall') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
  const kept: string[][] = [];
  while (task === 'allocate') kept.push(new Array<string>(100_000).fill('x'));
  return { ok: true, value: 'done' };
}
