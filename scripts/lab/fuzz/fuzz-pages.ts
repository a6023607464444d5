import { createHash } from 'node:crypto';
import { createPool } from '../../../services/platform/pools/pool.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createProgress } from '../../launch/output/progress.ts';
import type { FuzzResult, FuzzTask } from './worker.ts';

const TASK_INPUTS = 100;
const TASK_DEADLINE_MS = 100_000;

export interface PageOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly folder: string | undefined;
}

/** Converts mutated pages, each in two threads, and compares the results. @returns the number of faults */
export async function fuzzPages({ inputs, seed, folder }: PageOptions): Promise<number> {
  const worker = new URL('./worker.ts', import.meta.url);
  const threads = [0, 1].map(() => createPool<FuzzTask, FuzzResult>({ worker, threads: 1 }));
  const faults: string[] = [];
  const digest = createHash('sha256');

  async function runTask(task: FuzzTask): Promise<void> {
    const seeds = `seeds ${task.firstSeed} to ${task.firstSeed + task.count - 1}`;
    const deadlineMs = Date.now() + TASK_DEADLINE_MS;
    const answers = await Promise.all(threads.map((thread) => thread.run(task, { deadlineMs }))).catch(String);
    if (typeof answers === 'string') return void faults.push(`${seeds}: ${answers}`);
    const results = answers.map((answer) => {
      if (!answer.ok) throw new Error(answer.message);
      return answer.value;
    });
    const first = defined(results[0]);
    for (const { seed, fault } of first.faults) faults.push(`seed ${seed}: ${fault}`);
    digest.update(first.digest);
    if (new Set(results.map(({ digest }) => digest)).size > 1)
      faults.push(`${seeds}: the results of the threads differ`);
  }

  using progress = createProgress({ title: 'fuzz pages', total: inputs });
  const startMs = performance.now();
  for (let done = 0; done < inputs; done += TASK_INPUTS) {
    const count = Math.min(TASK_INPUTS, inputs - done);
    await runTask({ folder, firstSeed: seed + done, count });
    progress.add(count, `${faults.length} faults`);
  }
  await Promise.all(threads.map((thread) => thread.close()));
  for (const fault of faults) console.error(fault);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(`${inputs} inputs in ${seconds} s: ${faults.length} faults, digest ${digest.digest('hex')}`);
  return faults.length;
}
