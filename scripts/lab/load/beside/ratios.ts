import { type Spread, spreadOf } from '../../spread.ts';
import type { BothSides, Side } from './sides.ts';

/** What one side did in one round. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU milliseconds of a call by process. `load` is the generator. */
  readonly cpuMsByProcess: Readonly<Record<string, number>>;
  /** Number of answers by status and error code. */
  readonly codes: Readonly<Record<string, number>>;
}

/** A figure of both sides over all rounds. */
export interface ComparedFigure extends BothSides<Spread> {
  /** Present divided by baseline, round by round. Undefined if no round has a ratio: the baseline is 0 in each. */
  readonly ratio: Spread | undefined;
}

/** The figures of both sides. Those of processes have the most expensive process of the present first. */
export interface ComparedFigures {
  readonly perSecond: ComparedFigure;
  readonly p50Ms: ComparedFigure;
  readonly p99Ms: ComparedFigure;
  /** Of all processes except `load`. */
  readonly cpuMs: ComparedFigure;
  readonly cpuMsByProcess: Readonly<Record<string, ComparedFigure>>;
}

/** @param rounds at least one */
export function compareRounds(rounds: readonly BothSides<Sample>[]): ComparedFigures {
  const figure = (pick: (sample: Sample) => number): ComparedFigure => {
    const of = (side: Side) => rounds.map((round) => pick(round[side]));
    const ratios = rounds.map(({ baseline, present }) => pick(present) / pick(baseline)).filter(Number.isFinite);
    return {
      baseline: spreadOf(of('baseline')),
      present: spreadOf(of('present')),
      ratio: ratios.length === 0 ? undefined : spreadOf(ratios),
    };
  };
  const samples = rounds.flatMap(({ baseline, present }) => [baseline, present]);
  const names = new Set(samples.flatMap(({ cpuMsByProcess }) => Object.keys(cpuMsByProcess)));
  const byProcess = Array.from(names, (name): readonly [string, ComparedFigure] => [
    name,
    figure((sample) => cpuMsOf(sample, name)),
  ]);
  return {
    perSecond: figure(({ perSecond }) => perSecond),
    p50Ms: figure(({ p50Ms }) => p50Ms),
    p99Ms: figure(({ p99Ms }) => p99Ms),
    cpuMs: figure((sample) => sumOf(sample)),
    cpuMsByProcess: Object.fromEntries(byProcess.toSorted(([, a], [, b]) => b.present.median - a.present.median)),
  };
}

/** A process that a side does not have takes no time there. */
const cpuMsOf = ({ cpuMsByProcess }: Sample, name: string): number =>
  Object.hasOwn(cpuMsByProcess, name) ? Number(cpuMsByProcess[name]) : 0;

const sumOf = ({ cpuMsByProcess }: Sample): number =>
  Object.entries(cpuMsByProcess).reduce((sum, [name, ms]) => (name === 'load' ? sum : sum + ms), 0);
