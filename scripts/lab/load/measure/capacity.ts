import type { StepResult } from './step-result.ts';

/** What a step must keep. */
export interface Limits {
  /** Milliseconds. */
  readonly p99Ms: number;
  /** Share of calls that may have another answer than the wanted one. */
  readonly otherShare: number;
}

/** Share of the offered rate that must be answered within the step. */
const KEEPS_UP = 0.95;
/** The search ends when the last good rate and the first bad one are this close. */
const PRECISION = 1.08;
const MAX_STEPS = 16;

/** The limit that a step broke. Undefined if it broke none. */
export function brokenLimit(step: StepResult, { p99Ms, otherShare }: Limits): string | undefined {
  const share = step.other / Math.max(1, step.good + step.other);
  if (share > otherShare) return `${(share * 100).toFixed(1)} % had another answer`;
  if (!(step.latencies.p99 <= p99Ms)) return `p99 is ${step.latencies.p99.toFixed(0)} ms`;
  if (step.goodPerSecond < step.offeredPerSecond * KEEPS_UP) {
    return `${step.goodPerSecond.toFixed(0)} of ${step.offeredPerSecond.toFixed(0)} calls a second were answered`;
  }
  return undefined;
}

export interface Capacity {
  /** The highest rate that kept the limits, in calls a second. 0 if none did. */
  readonly ratePerSecond: number;
  readonly limits: Limits;
}

/**
 * Raises the rate until a limit breaks, and then halves the interval between the last good rate and the first bad one.
 * @param run one step at a rate
 */
export async function findCapacity(
  { from, limits }: { readonly from: number; readonly limits: Limits },
  run: (ratePerSecond: number) => Promise<StepResult>,
): Promise<Capacity> {
  let good = 0;
  let bad: number | undefined;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const rate = bad === undefined ? (good === 0 ? from : good * 2) : good === 0 ? bad / 2 : Math.sqrt(good * bad);
    const isKept = brokenLimit(await run(rate), limits) === undefined;
    if (isKept) good = rate;
    else bad = rate;
    if (bad !== undefined && (good > 0 ? bad / good <= PRECISION : bad < 1)) break;
  }
  return { ratePerSecond: good, limits };
}
