import type { Gathered, GatheredAnswers } from '../../../../services/platform/pools/gathering-pool.ts';
import type { WorkerAnswer } from '../../../../services/platform/pools/pool.ts';

/** A number for each crossing to this thread. */
let crossing = 0;

/** Answers each task with the number of its crossing. It answers three tasks of a crossing, and `die` ends its thread. */
export default function run({ tasks }: Gathered<string>): WorkerAnswer<GatheredAnswers<string>> {
  crossing += 1;
  if (tasks.includes('refuse all')) return { ok: false, code: 'REFUSED', message: 'no' };
  if (tasks.includes('nothing')) return { ok: true, value: [] };
  const answers = tasks.slice(0, 3).map((task): WorkerAnswer<string> => {
    if (task === 'die') process.exit(1);
    if (task === 'spin') for (;;);
    if (task === 'throw') throw new Error('broken');
    if (task === 'refuse') return { ok: false, code: 'REFUSED', message: 'no' };
    return { ok: true, value: `${task}${crossing}` };
  });
  return { ok: true, value: answers };
}
