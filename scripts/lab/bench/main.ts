import { parseArgs } from 'node:util';
import { defined } from '../../../workers/exact/defined.ts';
import { loadPages } from '../inputs/pages.ts';
import type { Spread } from '../spread.ts';
import { type ComparisonResult, type CpuByProcess, compare, cpuWithoutLoad, type Load } from './measure/compare.ts';
import type { Fact, Scope } from './measure/scope.ts';
import { calls } from './scopes/calls.ts';
import { exact } from './scopes/exact.ts';
import { grpc } from './scopes/grpc.ts';
import { html } from './scopes/html.ts';
import { http } from './scopes/http.ts';
import { ledger } from './scopes/ledger.ts';
import { maps } from './scopes/maps.ts';
import { paid } from './scopes/paid.ts';
import { select } from './scopes/select.ts';
import { shapes } from './scopes/shapes.ts';
import { solver } from './scopes/solver.ts';
import { workers } from './scopes/workers.ts';

const SCOPES: Readonly<Record<string, Scope>> = {
  http,
  calls,
  grpc,
  workers,
  html,
  shapes,
  maps,
  ledger,
  paid,
  exact,
  solver,
  select,
};

const USAGE = `usage: npm run bench -- [--scope ${Object.keys(SCOPES).join('|')}]... [--pages DIR] [--rounds N] [--seconds S] [--json]

Runs ours and a reference alternately and prints the ratio: median [min .. max] of the rounds.
DIR contains real pages (.html or .html.gz). Without it, the project's own fixtures are used.`;

function shown({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} [${min.toFixed(digits)} .. ${max.toFixed(digits)}]`;
}

function loadShown(load: Load | undefined): string {
  if (load === undefined) return '';
  return `, ${load.megabytesPerSecond.toFixed(1)} MB/s, ${load.peakMegabytes} MB at most, ${load.pages} pages`;
}

function print(scope: string, result: ComparisonResult): void {
  const { title, ours, reference, p50Ms, p99Ms } = result;
  const latencies = [p50Ms && `p50 ${shown(p50Ms, 2)} ms`, p99Ms && `p99 ${shown(p99Ms, 2)} ms`];
  const oursShown = [`${shown(result.oursPerSecond, 0)}/s`, ...latencies.filter((text) => text !== undefined)];
  console.log(`\n${scope}: ${title}, ${result.rounds} rounds of ${result.roundMs / 1000} s`);
  console.log(`  ${ours}: ${oursShown.join(', ')}${loadShown(result.oursLoad)}`);
  console.log(`  ${reference}: ${shown(result.referencePerSecond, 0)}/s${loadShown(result.referenceLoad)}`);
  for (const [name, cpu] of [
    [ours, result.oursCpuMs],
    [reference, result.referenceCpuMs],
  ] as const)
    if (cpu !== undefined) console.log(`  processor time of a call, ${name}: ${cpuShown(cpu)}`);
  if (result.cpuRatio !== undefined && result.targetCpuRatio !== undefined)
    console.log(`  ratio of processor time: ${shown(result.cpuRatio, 2)}`);
  for (const [name, worst] of [
    [ours, result.oursWorst],
    [reference, result.referenceWorst],
  ] as const)
    if (worst !== undefined) console.log(`  slowest page, ${name}: ${worst.ms.toFixed(2)} ms (${worst.name})`);
  console.log(`  ratio: ${shown(result.ratio, 2)}${goalShown(result)}`);
}

/** Processes that used less are left out. */
const LEAST_SHOWN_MS = 0.005;

function cpuShown(cpu: CpuByProcess): string {
  const parts = cpu.filter(([, ms]) => ms >= LEAST_SHOWN_MS).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${cpuWithoutLoad(cpu).toFixed(2)} ms without the load (${parts.join(', ')})`;
}

function goalShown({ target, targetPerSecond, targetP99Ms, targetCpuRatio, isReached }: ComparisonResult): string {
  if (isReached === undefined) return '';
  const goals = [
    target === undefined ? undefined : `>= ${target}`,
    targetPerSecond === undefined ? undefined : `${targetPerSecond}/s`,
    targetP99Ms === undefined ? undefined : `p99 <= ${targetP99Ms} ms`,
    targetCpuRatio === undefined ? undefined : `processor time <= ${targetCpuRatio}`,
  ];
  return `  target ${goals.filter((goal) => goal !== undefined).join(', ')}: ${isReached ? 'reached' : 'MISSED'}`;
}

const isKept = ({ value, atMost = Number.POSITIVE_INFINITY }: Fact): boolean => value <= atMost;

function printFact(scope: string, fact: Fact): void {
  const { name, value, unit, atMost } = fact;
  const goal = atMost === undefined ? '' : `  target <= ${atMost} ${unit}: ${isKept(fact) ? 'reached' : 'MISSED'}`;
  console.log(`\n${scope}: ${name}: ${value.toFixed(0)} ${unit}${goal}`);
}

const { values } = parseArgs({
  options: {
    scope: { type: 'string', multiple: true, default: Object.keys(SCOPES) },
    pages: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;
const unknown = values.scope.filter((name) => !(name in SCOPES));
if (values.help || unknown.length > 0 || !(rounds >= 1) || !(durationMs > 0)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
const pages = loadPages(values.pages);
const results: ({ readonly scope: string } & ComparisonResult)[] = [];
const facts: ({ readonly scope: string } & Fact)[] = [];
for (const name of values.scope) {
  const start = defined(SCOPES[name]);
  const scope = await start({ pages, folder: values.pages });
  try {
    for (const fact of scope.facts ?? []) {
      facts.push({ scope: name, ...fact });
      if (!values.json) printFact(name, fact);
    }
    for (const comparison of scope.comparisons) {
      const result = await compare(comparison, { rounds, durationMs });
      results.push({ scope: name, ...result });
      if (!values.json) print(name, result);
    }
  } finally {
    await scope.stop();
  }
}
if (values.json) console.log(JSON.stringify([...results, ...facts], null, 2));
process.exit(results.some(({ isReached }) => isReached === false) || !facts.every(isKept) ? 1 : 0);
