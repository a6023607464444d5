import { createPool } from '../../../services/platform/pools/pool.ts';
import { createProgress } from '../../launch/output/progress.ts';
import type { VerdictResult, VerdictTask } from './verdicts/worker.ts';

type Share = Omit<VerdictTask, 'seed'>;

/** How a thousand cases are divided. Most are judged without z3, which takes ten times as long. */
const SHARES: readonly Share[] = [
  { kind: 'holds', engine: 'evaluator', count: 350 },
  { kind: 'alignment', engine: 'evaluator', count: 240 },
  { kind: 'constraints', engine: 'evaluator', count: 225 },
  { kind: 'holds', engine: 'z3', count: 60 },
  { kind: 'possible', engine: 'z3', count: 45 },
  { kind: 'alignment', engine: 'z3', count: 20 },
  { kind: 'constraints', engine: 'z3', count: 30 },
  { kind: 'completion', engine: 'z3', count: 30 },
];
const ROUND = 1000;

/** Compares verdicts on random cases with the known right verdicts. @returns the number of faults */
export async function fuzzVerdicts({
  cases,
  seed,
}: {
  readonly cases: number;
  readonly seed: number;
}): Promise<number> {
  const worker = new URL('./verdicts/worker.ts', import.meta.url);
  const pool = createPool<VerdictTask, VerdictResult>({ worker, recycling: true });
  const counts = new Map<string, number>();
  const faults: string[] = [];
  const pending = tasksOf(cases, seed);
  let done = 0;

  async function work(): Promise<void> {
    for (const task of pending) {
      const answer = await pool.run(task).catch(String);
      const said = `${task.kind} by ${task.engine}`;
      if (typeof answer === 'string' || !answer.ok)
        faults.push(`${said}, seed ${task.seed}: ${JSON.stringify(answer)}`);
      else {
        for (const [verdict, count] of Object.entries(answer.value.counts)) add(`${said}: ${verdict}`, count);
        for (const { verdict, right, source } of answer.value.faults) {
          faults.push(`${said}: ${verdict} instead of ${right}: ${source}`);
        }
      }
      done += task.count;
      progress.add(task.count, `${faults.length} faults`);
    }
  }
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);

  using progress = createProgress({ title: 'fuzz verdicts', total: cases });
  const startMs = performance.now();
  await Promise.all(Array.from({ length: pool.threads }, work));
  await pool.close();
  for (const [name, count] of [...counts].sort()) console.log(`${String(count).padStart(7)} ${name}`);
  for (const fault of faults) console.error(fault);
  console.log(`${done} cases in ${((performance.now() - startMs) / 1000).toFixed(0)} s: ${faults.length} faults`);
  return faults.length;
}

function* tasksOf(cases: number, seed: number): Generator<VerdictTask> {
  for (let first = 0; first < cases; first += ROUND) {
    const part = Math.min(1, (cases - first) / ROUND);
    for (const [index, share] of SHARES.entries()) {
      // Each share needs its own seed. With one seed, shares of the same kind would get the same cases.
      const own = (Math.imul(seed, 0x9e3779b1) + (first / ROUND) * SHARES.length + index) | 0;
      yield { ...share, seed: own, count: Math.ceil(share.count * part) };
    }
  }
}
