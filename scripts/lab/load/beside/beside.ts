import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { defined } from '../../../../workers/exact/defined.ts';
import { readUsage } from '../measure/processes.ts';
import type { Aftermath } from '../report/result.ts';
import type { ScenarioName } from '../scenarios/index.ts';
import { type OwnProduct, startOwnProduct } from '../target/own-product.ts';
import { BesideError, describeCheckout, openBaseline } from './baseline.ts';
import { type CellPlan, type CellResult, measureCell } from './cell.ts';
import { type RunnerOptions, startRunner } from './runner.ts';
import type { BothSides, Side } from './sides.ts';
import { untilIdle } from './until-idle.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** Variables with which both products would use one server, or real money. */
const SHARED_VARIABLES = ['REDIS_URL', 'DATABASE_URL', 'X402_FACILITATOR_URL', 'X402_SIGNER_KEY'] as const;
const LOOPBACK = '127.0.0.1';

export interface BesideOptions
  extends Omit<RunnerOptions, 'signal'>,
    Pick<CellPlan, 'rounds' | 'roundMs' | 'warmUpMs'> {
  readonly ref: string;
  readonly scenarios: readonly ScenarioName[];
  readonly inFlight: readonly number[];
}

/** A whole comparison, as it is written to JSON. NaN becomes null. */
export interface BesideResult {
  readonly format: 1;
  readonly kind: 'beside';
  readonly startedAt: string;
  readonly baseline: { readonly ref: string; readonly commit: string };
  /** The commit of this checkout, and whether its files differ from that commit. */
  readonly present: { readonly commit: string; readonly isChanged: boolean };
  readonly machine: { readonly cpus: number; readonly model: string; readonly node: string };
  readonly rounds: number;
  readonly roundMs: number;
  readonly pageBytes: number;
  readonly threads: number;
  readonly connections: number;
  readonly cells: readonly CellResult[];
  /** Of the present product. This checkout may not understand the books of the baseline. */
  readonly aftermath: Aftermath;
}

export interface BesideReport {
  readonly say: (line: string) => void;
  readonly onCell: (result: CellResult) => void;
  /** Compares the books of a product after the load. */
  readonly audit: (product: OwnProduct) => Promise<Aftermath>;
}

/**
 * Measures a commit and this checkout in turns. Each side is a product of its own, which its own code starts. Both run until
 * the end. Everything that was started is stopped then, also after a failure or a signal.
 * @throws {BesideError} if the commit cannot be measured
 */
export async function measureBeside(
  options: BesideOptions,
  report: BesideReport,
  signal: AbortSignal,
): Promise<BesideResult> {
  assertApart(process.env);
  const startedAt = new Date().toISOString();
  const baseline = await openBaseline(ROOT, options.ref);
  try {
    const present = await describeCheckout(ROOT);
    const roots = { baseline: baseline.root, present: ROOT };
    const { cells, aftermath } = await withProducts(roots, { say: report.say, signal }, async (products) => {
      await settle(products, { say: report.say, signal });
      return {
        cells: await measureCells(options, { ...report, products, signal }),
        aftermath: await report.audit(products.present),
      };
    });
    const [cpu] = cpus();
    const { ref, rounds, roundMs, page, threads, connections } = options;
    return {
      format: 1,
      kind: 'beside',
      startedAt,
      baseline: { ref, commit: baseline.commit },
      present,
      machine: { cpus: cpus().length, model: defined(cpu).model, node: process.version },
      rounds,
      roundMs,
      pageBytes: Buffer.byteLength(page),
      threads,
      connections,
      cells,
      aftermath,
    };
  } finally {
    await baseline.remove();
  }
}

function assertApart(environment: NodeJS.ProcessEnv): void {
  const set = SHARED_VARIABLES.filter((name) => environment[name] !== undefined && environment[name] !== '');
  if (set.length > 0)
    throw new BesideError(`--beside needs two products apart from each other: unset ${set.join(', ')}`);
}

async function withProducts<Value>(
  roots: BothSides<string>,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
  use: (products: BothSides<OwnProduct>) => Promise<Value>,
): Promise<Value> {
  const start = async (side: Side) => {
    signal.throwIfAborted();
    say(`starting the product: ${side}`);
    return await startOwnProduct({ root: roots[side], settings: { HOST: LOOPBACK }, signal }).catch(
      (cause: unknown) => {
        throw new Error(`${side}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      },
    );
  };
  const baseline = await start('baseline');
  const present = await start('present').catch(async (error: unknown) => {
    await baseline.stop();
    throw error;
  });
  try {
    return await use({ baseline, present });
  } finally {
    await Promise.all([baseline.stop(), present.stop()]);
  }
}

async function settle(
  products: BothSides<OwnProduct>,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  say('waiting until both are idle');
  for (const side of ['baseline', 'present'] as const) {
    const cpuSeconds = () => {
      const usage = Array.from(readUsage(products[side].pid)).filter(([name]) => name !== 'load');
      return usage.reduce((sum, [, used]) => sum + used.cpuSeconds, 0);
    };
    if (!(await untilIdle({ cpuSeconds, signal }))) say(`the ${side} is still busy: believe its first figures less`);
  }
}

async function measureCells(
  options: BesideOptions,
  context: BesideReport & { readonly products: BothSides<OwnProduct>; readonly signal: AbortSignal },
): Promise<readonly CellResult[]> {
  const { products, say, onCell, signal } = context;
  const results: CellResult[] = [];
  for (const scenario of options.scenarios) {
    for (const inFlight of options.inFlight) {
      say(`\nmeasuring ${scenario}, ${inFlight} in flight`);
      const result = await measureCell(
        { scenario, inFlight },
        {
          ...options,
          start: (side, cell) => startRunner(products[side], cell, { ...options, signal }),
          onRound: (round, { baseline, present }) =>
            say(
              `  round ${round + 1} of ${options.rounds}: ${baseline.perSecond.toFixed(0)} and ${present.perSecond.toFixed(0)} calls a second`,
            ),
        },
      );
      results.push(result);
      onCell(result);
    }
  }
  return results;
}
