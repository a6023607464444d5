import { build, type Histogram } from 'hdr-histogram-js';
import type { ClosedPlan, OpenPlan, Second } from '../generator/messages.ts';
import type { Visited } from './page-visitors.ts';
import type { Usage } from './processes.ts';

/** Milliseconds from the time when a call should have been sent. NaN without a call. */
export interface Latencies {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A second of a step, all threads together. */
export interface SecondResult {
  readonly second: number;
  readonly offered: number;
  readonly good: number;
  readonly other: number;
  /** Of the good calls that ended in this second. */
  readonly latencies: Latencies;
  /** CPU seconds by process within this second. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly megabytes: Readonly<Record<string, number>>;
}

export interface ProcessResult {
  readonly cpuSeconds: number;
  /** Milliseconds of CPU for each good call. */
  readonly cpuMsPerCall: number;
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
  readonly descriptorsBefore: number;
  readonly descriptorsAfter: number;
}

/** What came out of a step. */
export interface StepResult {
  readonly name: string;
  readonly plan: (OpenPlan | ClosedPlan) & { readonly durationMs: number };
  /** Calls a second that should have been sent, and that were answered as wanted. */
  readonly offeredPerSecond: number;
  readonly goodPerSecond: number;
  readonly offered: number;
  readonly good: number;
  readonly other: number;
  /** Of the calls that were answered as wanted. */
  readonly latencies: Latencies;
  /** Of all other answers. */
  readonly otherLatencies: Latencies;
  readonly codes: Readonly<Record<string, number>>;
  readonly seconds: readonly SecondResult[];
  readonly processes: Readonly<Record<string, ProcessResult>>;
  /** Whether the prepared calls ran out before the end. */
  readonly isCutShort: boolean;
  /** What visitors got meanwhile. Absent if there were none. */
  readonly visited?: Visited;
}

const MICROSECONDS = 1000;
const MAX_MICROSECONDS = 600_000_000;

const createHistogram = (): Histogram =>
  build({ lowestDiscernibleValue: 1, highestTrackableValue: MAX_MICROSECONDS, numberOfSignificantValueDigits: 3 });

const record = (histogram: Histogram, values: Float64Array): void => {
  for (const ms of values) {
    histogram.recordValue(Math.min(MAX_MICROSECONDS, Math.max(1, Math.round(ms * MICROSECONDS))));
  }
};

function latenciesOf(histogram: Histogram): Latencies {
  const at = (percentile: number) =>
    histogram.totalCount === 0 ? Number.NaN : histogram.getValueAtPercentile(percentile) / MICROSECONDS;
  return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: at(100) };
}

interface OpenSecond {
  offered: number;
  good: number;
  other: number;
  readonly histogram: Histogram;
  cpu: Record<string, number>;
  megabytes: Record<string, number>;
}

export type UsageByName = ReadonlyMap<string, Usage>;

/** Collects the seconds that threads report, and what the processes use. */
export function createStepRecorder(name: string, plan: StepResult['plan'], before: UsageByName) {
  const seconds = new Map<number, OpenSecond>();
  const [good, other] = [createHistogram(), createHistogram()];
  const codes = new Map<string, number>();
  let last = before;
  const secondAt = (second: number): OpenSecond => {
    const found = seconds.get(second) ?? {
      offered: 0,
      good: 0,
      other: 0,
      histogram: createHistogram(),
      cpu: {},
      megabytes: {},
    };
    seconds.set(second, found);
    return found;
  };
  const resultOf = ([second, { histogram, ...counts }]: [number, OpenSecond]): SecondResult => ({
    second,
    ...counts,
    latencies: latenciesOf(histogram),
  });
  return {
    add({ second, offered, good: goodMs, other: otherMs, codes: counted }: Second): void {
      const at = secondAt(second);
      at.offered += offered;
      at.good += goodMs.length;
      at.other += otherMs.length;
      record(at.histogram, goodMs);
      record(good, goodMs);
      record(other, otherMs);
      for (const [code, count] of Object.entries(counted)) codes.set(code, (codes.get(code) ?? 0) + count);
    },
    /** Notes what the processes use at the end of a second of the step. */
    addUsage(second: number, usage: UsageByName): void {
      const at = secondAt(second);
      for (const [process, { cpuSeconds, bytes }] of usage) {
        at.cpu[process] = Math.max(0, cpuSeconds - (last.get(process)?.cpuSeconds ?? 0));
        at.megabytes[process] = bytes / 2 ** 20;
      }
      last = usage;
    },
    /** The seconds so far. */
    seconds: () => Array.from(seconds, resultOf).toSorted((a, b) => a.second - b.second),
    result(after: UsageByName, isCutShort: boolean): StepResult {
      const all = Array.from(seconds, resultOf).toSorted((a, b) => a.second - b.second);
      const sum = (pick: (second: SecondResult) => number) => all.reduce((total, each) => total + pick(each), 0);
      const planned = plan.durationMs / 1000;
      const lasted = isCutShort ? Math.max(1, all.filter((at) => at.offered > 0).length) : planned;
      // Calls that end after the step do not count as throughput.
      const inTime = all.filter(({ second }) => second < lasted).reduce((total, { good }) => total + good, 0);
      const counts = { offered: sum((at) => at.offered), good: sum((at) => at.good), other: sum((at) => at.other) };
      return {
        name,
        plan,
        ...counts,
        offeredPerSecond: counts.offered / lasted,
        goodPerSecond: inTime / lasted,
        latencies: latenciesOf(good),
        otherLatencies: latenciesOf(other),
        codes: Object.fromEntries(Array.from(codes).toSorted(([, a], [, b]) => b - a)),
        seconds: all,
        processes: Object.fromEntries(
          Array.from(after, ([process, usage]) => [process, compareUsage(before.get(process), usage, counts.good)]),
        ),
        isCutShort,
      };
    },
  };
}

function compareUsage(before: Usage | undefined, after: Usage, good: number): ProcessResult {
  // A process that started meanwhile had used nothing before.
  const { cpuSeconds, bytes, descriptors } = before ?? { cpuSeconds: 0, bytes: 0, descriptors: 0 };
  const used = Math.max(0, after.cpuSeconds - cpuSeconds);
  return {
    cpuSeconds: used,
    cpuMsPerCall: good === 0 ? Number.NaN : (used * 1000) / good,
    megabytesBefore: bytes / 2 ** 20,
    megabytesAfter: after.bytes / 2 ** 20,
    descriptorsBefore: descriptors,
    descriptorsAfter: after.descriptors,
  };
}
