import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isWorldKind, openSimulation, type Simulation } from './run-worlds.ts';

const USAGE = `usage: npm run simulate -- [--seeds N] [--from N] [--jobs N]
       npm run simulate -- --seed N [--trace]
       npm run simulate -- --worlds KIND [the same options]

Runs simulated worlds, one for each seed: the product's code, with faults of everything around it. An independent model
judges each world. It stops after the first seed that breaks a promise, and prints the seed, the problem and what happened.
docs/simulation.md says more.

  --seeds N   how many worlds to run (10000)
  --from N    the first seed (1)
  --jobs N    processes that share the seeds, each with an embedded PostgreSQL (1)
  --worlds K  all over the product's SQL in an embedded PostgreSQL
              payments: single payments on a simulated chain (the default)
              trials: clients of gateways
              channels: payers of payment channels
              ledger: many callers of the ledger's store
  --seed N    runs only this seed
  --trace     prints everything that happened in it

Exit codes: 0 every promise was kept; 1 a promise was broken; 2 wrong arguments.`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    worlds: { type: 'string', default: 'payments' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const KIND = ['--worlds', values.worlds];
const MOST_JOBS = 16;
/** JavaScript counts exactly only so far. */
const LARGEST_SEED = 2 ** 48;
const [seeds, from, jobs] = [Number(values.seeds), Number(values.from), Number(values.jobs)];
const only = values.seed === undefined ? undefined : Number(values.seed);
const isWhole = (value: number, most: number) => Number.isSafeInteger(value) && value >= 1 && value <= most;
const isUsable =
  isWhole(seeds, LARGEST_SEED) &&
  isWhole(from, LARGEST_SEED) &&
  isWorldKind(values.worlds) &&
  isWhole(jobs, MOST_JOBS) &&
  isWhole(only ?? 1, LARGEST_SEED);
if (values.help || !isUsable) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (only !== undefined) process.exitCode = await runOne(only);
else process.exitCode = jobs > 1 ? await runJobs() : await runAll();

/** The arguments were checked. */
function openWorlds(): Promise<Simulation> {
  return openSimulation(isWorldKind(values.worlds) ? values.worlds : 'payments');
}

async function runOne(seed: number): Promise<number> {
  const opened = await openWorlds();
  try {
    const { problem, trace } = await opened.replay(seed);
    if (values.trace || problem !== undefined) console.log(trace.join('\n'));
    console.log(problem === undefined ? `seed ${seed}: every promise was kept` : `seed ${seed}: ${problem}`);
    return problem === undefined ? 0 : 1;
  } finally {
    await opened.close();
  }
}

async function runAll(): Promise<number> {
  const opened = await openWorlds();
  const startedMs = performance.now();
  try {
    const onProgress = (done: number) => console.error(`${done} of ${seeds} seeds from ${from}`);
    const { worlds, counts, failure } = await opened.simulate({ from, seeds, onProgress });
    for (const [what, count] of [...counts].toSorted()) console.log(`${String(count).padStart(10)}  ${what}`);
    const { user, system } = process.cpuUsage();
    const wallS = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${worlds} worlds in ${wallS} s, with ${Math.round((user + system) / 1e6)} s of processor time`);
    if (failure === undefined) return 0;
    console.log(failure.trace.join('\n'));
    console.log(`seed ${failure.seed}: ${failure.problem}`);
    console.log(`To see it again: npm run simulate -- ${[...KIND, '--seed'].join(' ')} ${failure.seed} --trace`);
    return 1;
  } finally {
    await opened.close();
  }
}

/** Shares the seeds among processes. */
async function runJobs(): Promise<number> {
  const share = Math.ceil(seeds / jobs);
  const starts = Array.from({ length: jobs }, (_, job) => from + job * share).filter((start) => start < from + seeds);
  const codes = await Promise.all(
    starts.map(async (start) => {
      const count = Math.min(share, from + seeds - start);
      const child = fork(fileURLToPath(import.meta.url), [...KIND, '--from', `${start}`, '--seeds', `${count}`]);
      const [code]: unknown[] = await once(child, 'exit');
      return typeof code === 'number' ? code : 1;
    }),
  );
  return Math.max(...codes);
}
