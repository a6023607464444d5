import type { WorkerAnswer } from '../../workers/pool.ts';

export type TestTask = 'answer' | 'refuse' | 'spin' | 'allocate' | 'throw';

/** Does what a hostile or broken task does. */
export default function run(task: TestTask): WorkerAnswer<string> {
  if (task === 'refuse') return { ok: false, code: 'REFUSED', message: 'no' };
  if (task === 'throw') throw new Error('broken');
  if (task === 'spin') for (;;);
  const kept: string[][] = [];
  while (task === 'allocate') kept.push(new Array<string>(100_000).fill('x'));
  return { ok: true, value: 'done' };
}
