import { defined } from '../../../../workers/exact/defined.ts';
import { createProgress } from '../../../launch/output/progress.ts';
import { type Spread, spreadOf } from '../../spread.ts';
import { type WorstPage, worstPageOf } from './worst-page.ts';

/** A subject of a comparison. */
export interface Contender {
  readonly name: string;
  /** Runs for about `durationMs`. */
  readonly run: (durationMs: number) => Promise<Round>;
  /** Names of the pages of `perSecondByPage`. */
  readonly pageNames?: readonly string[];
  /** Peak memory of its process for the work, if it was measured. */
  readonly peakMegabytes?: number;
}

export interface Round {
  /** Operations per second. */
  readonly perSecond: number;
  /** Percentiles of the time of one operation, if they were measured. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly megabytesPerSecond?: number;
  /** Operations per second for each input, in the same order in every round. NaN for an input that failed. */
  readonly perSecondByPage?: readonly number[];
  /** Milliseconds of processor time of one operation, by process. */
  readonly cpuMsByProcess?: Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly title: string;
  readonly ours: Contender;
  readonly reference: Contender;
  /** The ratio to reach. A comparison without targets is for information only. */
  readonly target?: number;
  /** The operations per second that ours must reach, on a machine of the intended size. */
  readonly targetPerSecond?: number;
  /** The maximum for the 99th percentile of ours. */
  readonly targetP99Ms?: number;
  /** The maximum for the processor time of one operation of ours, as a multiple of the reference's. */
  readonly targetCpuRatio?: number;
}

export type CpuByProcess = readonly (readonly [name: string, ms: number])[];

/** Other measurements of a converter, in addition to its speed. */
export interface Load {
  readonly megabytesPerSecond: number;
  readonly peakMegabytes: number;
  /** Number of pages that it could convert. */
  readonly pages: number;
}

export interface ComparisonResult {
  readonly title: string;
  readonly ours: string;
  readonly reference: string;
  /** Number of rounds and the time of one round. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly oursWorst: WorstPage | undefined;
  readonly referenceWorst: WorstPage | undefined;
  readonly oursLoad: Load | undefined;
  readonly referenceLoad: Load | undefined;
  readonly oursPerSecond: Spread;
  readonly referencePerSecond: Spread;
  /**
   * Ours divided by the reference, for each round. On shared machines, absolute figures change over time. Their ratio
   * changes less.
   */
  readonly ratio: Spread;
  readonly p50Ms: Spread | undefined;
  readonly p99Ms: Spread | undefined;
  /** Median milliseconds of processor time of one operation, by process, the largest first. */
  readonly oursCpuMs: CpuByProcess | undefined;
  readonly referenceCpuMs: CpuByProcess | undefined;
  /** Processor time of one operation of ours divided by the reference's, of all processes but the load, for each round. */
  readonly cpuRatio: Spread | undefined;
  readonly target: number | undefined;
  readonly targetPerSecond: number | undefined;
  readonly targetP99Ms: number | undefined;
  readonly targetCpuRatio: number | undefined;
  readonly isReached: boolean | undefined;
}

export interface CompareOptions {
  readonly rounds: number;
  readonly durationMs: number;
}

/** Runs both alternately, after a warm-up of each. The one that runs first changes with each round. */
export async function compare(
  comparison: Comparison,
  { rounds, durationMs }: CompareOptions,
): Promise<ComparisonResult> {
  const { title, ours, reference, target, targetPerSecond, targetP99Ms, targetCpuRatio } = comparison;
  using progress = createProgress({ title, total: rounds + 1 });
  await ours.run(durationMs);
  await reference.run(durationMs);
  progress.add(1);
  const pairs: { readonly ours: Round; readonly reference: Round }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await ours.run(durationMs);
      pairs.push({ ours: first, reference: await reference.run(durationMs) });
    } else {
      const first = await reference.run(durationMs);
      pairs.push({ ours: await ours.run(durationMs), reference: first });
    }
    progress.add(1);
  }
  const oursRounds = pairs.map((pair) => pair.ours);
  const referenceRounds = pairs.map((pair) => pair.reference);
  const ratio = spreadOf(pairs.map(ratioOf));
  const oursPerSecond = spreadOf(pairs.map((pair) => pair.ours.perSecond));
  const p99Ms = measuredSpread(pairs.map((pair) => pair.ours.p99Ms));
  const cpuRatio = measuredSpread(pairs.map(cpuRatioOf));
  const hasTarget = [target, targetPerSecond, targetCpuRatio].some((value) => value !== undefined);
  const isFast = targetP99Ms === undefined || (p99Ms !== undefined && p99Ms.median <= targetP99Ms);
  const isCheap = targetCpuRatio === undefined || (cpuRatio !== undefined && cpuRatio.median <= targetCpuRatio);
  const isReached =
    isFast &&
    isCheap &&
    (target === undefined || ratio.median >= target) &&
    (targetPerSecond === undefined || oursPerSecond.median >= targetPerSecond);
  return {
    title,
    ours: ours.name,
    reference: reference.name,
    rounds,
    roundMs: durationMs,
    oursWorst: worstPageOf(oursRounds, ours.pageNames),
    referenceWorst: worstPageOf(referenceRounds, reference.pageNames),
    oursLoad: loadOf(ours, oursRounds),
    referenceLoad: loadOf(reference, referenceRounds),
    oursPerSecond,
    referencePerSecond: spreadOf(pairs.map((pair) => pair.reference.perSecond)),
    ratio,
    p50Ms: measuredSpread(pairs.map((pair) => pair.ours.p50Ms)),
    p99Ms,
    oursCpuMs: cpuOf(pairs.map((pair) => pair.ours)),
    referenceCpuMs: cpuOf(pairs.map((pair) => pair.reference)),
    cpuRatio,
    target,
    targetPerSecond,
    targetP99Ms,
    targetCpuRatio,
    isReached: hasTarget ? isReached : undefined,
  };
}

/** The median of the ratios of all inputs, so that a large input does not dominate the result. */
function ratioOf({ ours, reference }: { readonly ours: Round; readonly reference: Round }): number {
  const others = reference.perSecondByPage;
  if (ours.perSecondByPage === undefined || others === undefined) return ours.perSecond / reference.perSecond;
  const ratios = ours.perSecondByPage.map((perSecond, index) => perSecond / defined(others[index]));
  return spreadOf(ratios.filter((ratio) => !Number.isNaN(ratio))).median;
}

function cpuRatioOf(pair: { readonly ours: Round; readonly reference: Round }): number | undefined {
  const [ours, reference] = [pair.ours, pair.reference].map(
    ({ cpuMsByProcess: cpu }) => cpu && cpuWithoutLoad(Object.entries(cpu)),
  );
  return ours === undefined || reference === undefined ? undefined : ours / reference;
}

/** Milliseconds of processor time of all processes except the one that sends the operations. */
export const cpuWithoutLoad = (cpu: CpuByProcess): number =>
  cpu.reduce((sum, [name, ms]) => (name === 'load' ? sum : sum + ms), 0);

function loadOf({ peakMegabytes }: Contender, rounds: readonly Round[]): Load | undefined {
  if (peakMegabytes === undefined) return undefined;
  const done = rounds.map((round) => defined(round.perSecondByPage).filter((perSecond) => perSecond > 0).length);
  return {
    megabytesPerSecond: spreadOf(rounds.map((round) => defined(round.megabytesPerSecond))).median,
    peakMegabytes,
    pages: Math.min(...done),
  };
}

function cpuOf(rounds: readonly Round[]): CpuByProcess | undefined {
  const measured = rounds.map(({ cpuMsByProcess }) => cpuMsByProcess).filter((cpu) => cpu !== undefined);
  const [first] = measured;
  if (first === undefined) return undefined;
  const medianOf = (name: string) => measuredSpread(measured.map((cpu) => cpu[name]))?.median;
  return Object.keys(first)
    .map((name): readonly [string, number] => [name, defined(medianOf(name))])
    .toSorted(([, a], [, b]) => b - a);
}

function measuredSpread(values: readonly (number | undefined)[]): Spread | undefined {
  const measured = values.filter((value) => value !== undefined);
  return measured.length > 0 ? spreadOf(measured) : undefined;
}

/** Keeps `inFlight` operations running for the duration of a round, or while `hasNext` allows. */
export function keepInFlight(
  inFlight: number,
  operation: (index: number) => Promise<unknown>,
  hasNext = () => true,
): Contender['run'] {
  return async (durationMs) => {
    const startMs = performance.now();
    const latencies: number[] = [];
    let next = 0;
    const lane = async () => {
      while (performance.now() - startMs < durationMs && hasNext()) {
        const atMs = performance.now();
        await operation(next++);
        latencies.push(performance.now() - atMs);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    const seconds = (performance.now() - startMs) / 1000;
    const sorted = latencies.toSorted((a, b) => a - b);
    const percentile = (share: number) => defined(sorted[Math.floor(sorted.length * share)]);
    return { perSecond: latencies.length / seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
  };
}
