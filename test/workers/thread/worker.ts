import { threadId } from 'node:worker_threads';
import { recycling } from '../../../workers/thread/recycling.ts';
import type { WorkerAnswer } from '../../../workers/thread/worker-answer.ts';

export type RecyclingTask = 'answer' | 'wear' | 'throw' | 'spin';

let isWorn = false;

/** Answers with the id of its thread. */
export default recycling(
  (task: RecyclingTask): WorkerAnswer<number> => {
    if (task === 'throw') throw new Error('broken');
    if (task === 'spin') for (;;);
    if (task === 'wear') isWorn = true;
    return { ok: true, value: threadId };
  },
  () => isWorn,
);
