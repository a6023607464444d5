/** The sum of coefficients of chosen items is at most `limit`. */
export interface Row {
  readonly coefficients: readonly bigint[];
  readonly limit: bigint;
}

/** Least value that the sum of coefficients takes over all sets of items. */
export const leastOf = (coefficients: readonly bigint[]): bigint =>
  coefficients.reduce((sum, coefficient) => (coefficient < 0n ? sum + coefficient : sum), 0n);

export const greatestOf = (coefficients: readonly bigint[]): bigint => -leastOf(coefficients.map((value) => -value));

/**
 * The same sets of whole items in smaller numbers: divided by what all coefficients have in common, with a limit no
 * further away than it makes a difference. Undefined where every set obeys.
 */
export function reduceRow({ coefficients, limit }: Row): Row | undefined {
  if (greatestOf(coefficients) <= limit) return undefined;
  const divisor = divisorOf(coefficients);
  const reduced = coefficients.map((coefficient) => coefficient / divisor);
  const least = leastOf(reduced);
  const floor = floorDivide(limit, divisor);
  return { coefficients: reduced, limit: floor < least ? least - 1n : floor };
}

/** Greatest common divisor, 1 of zeros alone. */
export function divisorOf(values: readonly bigint[]): bigint {
  let divisor = 0n;
  for (const value of values) {
    let rest = value < 0n ? -value : value;
    while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
    if (divisor === 1n) break;
  }
  return divisor === 0n ? 1n : divisor;
}

/** By a positive divisor. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/**
 * How many items a set that obeys a row may have: the least sum of k items falls and then rises with k, so these are
 * the numbers between two ends. Undefined where there is none.
 */
export function countsWithin({ coefficients, limit }: Row): { readonly min: number; readonly max: number } | undefined {
  const sorted = coefficients.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const counts: number[] = [];
  let least = 0n;
  if (least <= limit) counts.push(0);
  for (const [index, coefficient] of sorted.entries()) {
    least += coefficient;
    if (least <= limit) counts.push(index + 1);
  }
  const [min] = counts;
  const max = counts.at(-1);
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** Whether a row is about the number of items alone. */
export const isCount = ({ coefficients: [first, ...others] }: Row): boolean =>
  first !== undefined && first !== 0n && others.every((coefficient) => coefficient === first);
