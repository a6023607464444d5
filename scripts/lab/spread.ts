import { defined } from '../../workers/exact/defined.ts';

/** A figure of several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws {Error} if there are no values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => defined(sorted[index]);
  const last = sorted.length - 1;
  // Of an even number of values, the mean of the two in the middle: the lower one would favor whoever is lower.
  return { median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, min: at(0), max: at(last) };
}
