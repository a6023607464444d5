import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createPool } from '../../workers/pool.ts';
import { loadPages } from '../bench/pages.ts';
import { mutate } from './mutate.ts';
import type { FuzzResult, FuzzTask } from './worker.ts';

const USAGE = `usage: npm run fuzz -- [--inputs N] [--seed N] [--pages DIR] [--show SEED]

Converts mutated pages, each on both of two threads, and compares what comes out, byte by byte. Ends with 1 when a
conversion fails, hangs or differs. Two runs with one seed print one digest. --show prints the input of a seed.`;

const TASK_INPUTS = 100;
const TASK_DEADLINE_MS = 100_000;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string' },
    show: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const inputs = Number(values.inputs);
const seed = Number(values.seed);
if (values.help || !(inputs >= 1) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.show !== undefined) {
  process.stdout.write(mutate(loadPages(values.pages), Number(values.show)));
  process.exit();
}

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
  for (const { seed, fault } of results[0]?.faults ?? []) faults.push(`seed ${seed}: ${fault}`);
  digest.update(results[0]?.digest ?? '');
  if (new Set(results.map(({ digest }) => digest)).size > 1) faults.push(`${seeds}: the threads differ`);
}

const startMs = performance.now();
for (let done = 0; done < inputs; done += TASK_INPUTS) {
  const count = Math.min(TASK_INPUTS, inputs - done);
  await runTask({ folder: values.pages, firstSeed: seed + done, count });
  if ((done / TASK_INPUTS) % 100 === 99) console.log(`${done + count} of ${inputs}, ${faults.length} faults`);
}
await Promise.all(threads.map((thread) => thread.close()));
for (const fault of faults) console.error(fault);
const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
console.log(`${inputs} inputs in ${seconds} s: ${faults.length} faults, digest ${digest.digest('hex')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
