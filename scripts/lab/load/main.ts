// `npm run load`: measures the product under load.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { defined } from '../../../workers/exact/defined.ts';
import { runTollhouse } from '../../cli/tollhouse/tollhouse.ts';
import { BesideError } from './beside/baseline.ts';
import { type BesideResult, measureBeside } from './beside/beside.ts';
import { besideTitle, cellLines } from './beside/describe.ts';
import { abortedBySignals, InterruptedError } from './beside/interruption.ts';
import { measureFloor } from './floor/measure-floor.ts';
import { type StepPlan, startGenerator } from './generator/generator.ts';
import { type Capacity, findCapacity } from './measure/capacity.ts';
import { startVisitors } from './measure/page-visitors.ts';
import { readUsage } from './measure/processes.ts';
import { runStep } from './measure/run-step.ts';
import type { StepResult } from './measure/step-result.ts';
import { type Beside, type Options, readOptions, USAGE, UsageError } from './options.ts';
import { compareResults, describeComparison } from './report/compare.ts';
import { toHtml } from './report/html.ts';
import { type Aftermath, type LoadResult, readEarlier } from './report/result.ts';
import { shown, stepLines, tableHead, tableLine } from './report/table.ts';
import { isLoopback } from './target/loopback.ts';
import { type OwnProduct, readAftermath, startOwnProduct } from './target/own-product.ts';

const say = (line: string): void => console.log(line);

async function measure(options: Options, target: Pick<OwnProduct, 'origin' | 'keys'> & Partial<OwnProduct>) {
  const { mix, page, threads, connections, channels, seed, warmUpMs, stepMs, expectedPerSecond } = options;
  const { origin, keys, pid } = target;
  const generator = startGenerator(threads, {
    origin,
    mix,
    keys: options.keys ?? keys,
    page,
    seed,
    connections,
    channels,
  });
  const results: StepResult[] = [];
  const step = async (plan: StepPlan) => {
    const name = plan.kind === 'open' ? `${shown(plan.ratePerSecond)}/s` : `${plan.inFlight} in flight`;
    say(`\n${name}\n${tableHead()}`);
    const onSecond = (second: StepResult['seconds'][number]) => say(tableLine(second));
    const result = await runStep(name, plan, {
      generator,
      readUsage: () => readUsage(pid),
      onSecond,
      expectedPerSecond,
    });
    for (const line of stepLines(result)) say(line);
    return result;
  };
  /** Runs a step alone, and then beside visitors of the site if they are wanted. */
  const besideVisitors = async (plan: StepPlan) => {
    results.push(await step(plan));
    if (options.visitors === undefined) return;
    const visitors = startVisitors({ origin, ratePerSecond: options.visitors });
    try {
      const result = await step(plan);
      const name = `${result.name} beside ${shown(options.visitors)} pages/s`;
      results.push({ ...result, name, visited: await visitors.stop() });
    } finally {
      await visitors.stop();
    }
  };
  const atRate = async (ratePerSecond: number) => {
    const result = await step({ kind: 'open', ratePerSecond, durationMs: stepMs });
    results.push(result);
    return result;
  };
  try {
    const first = options.steps[0] ?? { kind: 'open', ratePerSecond: defined(options.search).from, durationMs: 0 };
    if (warmUpMs > 0) {
      say('warm-up');
      await step({ ...first, durationMs: warmUpMs });
    }
    for (const plan of options.steps) await besideVisitors(plan);
    let capacity: Capacity | undefined;
    if (options.search !== undefined) {
      capacity = await findCapacity(options.search, atRate);
      say(`\ncapacity: ${shown(capacity.ratePerSecond)} calls a second`);
      for (const factor of options.overload) await atRate(capacity.ratePerSecond * factor);
    }
    return { steps: results, capacity };
  } finally {
    await generator.close();
  }
}

async function run(options: Options): Promise<number> {
  const { url, mix, page, threads, connections } = options;
  const earlier = options.against === undefined ? undefined : readEarlier(options.against);
  if (url !== undefined && !options.isRemoteAllowed && !(await isLoopback(new URL(url).hostname))) {
    throw new UsageError(`${url} is not this machine: see --remote`);
  }
  const startedAt = new Date().toISOString();
  if (url === undefined) say('starting a product of its own');
  const own = url === undefined ? await startOwnProduct() : undefined;
  try {
    const measured = await measure(options, own ?? { origin: defined(url), keys: undefined });
    const aftermath = own === undefined ? undefined : await readAftermath(own, runTollhouse);
    const [cpu] = cpus();
    const result: LoadResult = {
      format: 1,
      startedAt,
      origin: own === undefined ? defined(url) : 'a product of its own',
      mix: mix.map(({ name, weight }) => (mix.length === 1 ? name : `${name}=${weight}`)).join(','),
      machine: { cpus: cpus().length, model: defined(cpu).model, node: process.version },
      pageBytes: Buffer.byteLength(page),
      threads,
      connections,
      ...measured,
      aftermath,
    };
    return report(options, result, earlier);
  } finally {
    await own?.stop();
  }
}

function report(options: Options, result: LoadResult, earlier: ReturnType<typeof readEarlier> | undefined): number {
  const compared = earlier === undefined ? [] : compareResults(earlier, result);
  say('');
  for (const step of result.steps) for (const line of stepLines(step)) say(line);
  for (const each of compared) say(describeComparison(each));
  const { aftermath } = result;
  if (aftermath !== undefined) say(afterwards(aftermath));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 1)}\n`);
  if (options.html !== undefined) writeFileSync(options.html, toHtml(result, compared));
  return aftermath === undefined || isClean(aftermath) ? 0 : 1;
}

async function runBeside(options: Options, { ref, rounds, channels }: Beside): Promise<number> {
  const { steps, stepMs, mix } = options;
  const result = await abortedBySignals(say, (signal) =>
    measureBeside(
      {
        ...options,
        ref,
        rounds,
        channels,
        scenarios: mix.map(({ name }) => name),
        inFlight: steps.flatMap((step) => (step.kind === 'closed' ? [step.inFlight] : [])),
        roundMs: stepMs,
      },
      {
        say,
        onCell: (cell) => cellLines(cell).forEach(say),
        audit: (product) => readAftermath(product, runTollhouse),
      },
      signal,
    ),
  );
  return reportBeside(options, result);
}

async function runFloor({ steps, page, seed }: Options, { rounds }: { readonly rounds: number }): Promise<number> {
  for (const step of steps) {
    if (step.kind !== 'closed') continue;
    const cell = await measureFloor({ rounds, inFlight: step.inFlight, page, seed }, say);
    for (const line of cellLines(cell)) say(line);
  }
  return 0;
}

function reportBeside({ json }: Options, result: BesideResult): number {
  say(`\n${besideTitle(result)}`);
  for (const cell of result.cells) for (const line of cellLines(cell)) say(line);
  say(afterwards(result.aftermath));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, null, 1)}\n`);
  // A baseline that lacks a scenario is no failure of this checkout.
  const isServed = result.cells.every((cell) => !('notServed' in cell) || cell.notServed.side === 'baseline');
  return isServed && isClean(result.aftermath) ? 0 : 1;
}

const isClean = ({ violations, pending }: Aftermath): boolean => violations === 0 && pending === 0;

const afterwards = ({ violations, pending }: Aftermath): string =>
  `after the load: ${violations} differences in the ledger, ${pending} open reservations`;

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) say(USAGE);
  else {
    const options = readOptions(args);
    const { beside, floor } = options;
    if (floor !== undefined) process.exitCode = await runFloor(options, floor);
    else process.exitCode = await (beside === undefined ? run(options) : runBeside(options, beside));
  }
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`);
  else if (error instanceof BesideError || error instanceof InterruptedError) console.error(error.message);
  else throw error;
  process.exitCode = error instanceof InterruptedError ? error.exitCode : 2;
}
