/** The sum of coefficients of chosen items is at most `limit`. */
export interface Row {
  readonly coefficients: readonly bigint[];
  readonly limit: bigint;
}

/** The smallest sum of coefficients over all sets of items. */
export const minOf = (coefficients: readonly bigint[]): bigint =>
  coefficients.reduce((sum, coefficient) => (coefficient < 0n ? sum + coefficient : sum), 0n);

export const maxOf = (coefficients: readonly bigint[]): bigint => -minOf(coefficients.map((value) => -value));

/**
 * A row with smaller numbers that the same sets of whole items obey: divided by the common divisor of the coefficients, with
 * a limit just below the smallest sum if no set obeys. Undefined if every set obeys.
 */
export function reduceRow({ coefficients, limit }: Row): Row | undefined {
  if (maxOf(coefficients) <= limit) return undefined;
  const divisor = divisorOf(coefficients);
  const reduced = coefficients.map((coefficient) => coefficient / divisor);
  const min = minOf(reduced);
  const floor = floorDivide(limit, divisor);
  return { coefficients: reduced, limit: floor < min ? min - 1n : floor };
}

/** The sum of absolute values. */
export const sizeOf = (values: readonly bigint[]): bigint => maxOf(values) - minOf(values);

/** Greatest common divisor, or 1 if all values are 0. */
export function divisorOf(values: readonly bigint[]): bigint {
  let divisor = 0n;
  for (const value of values) {
    let rest = value < 0n ? -value : value;
    while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
    if (divisor === 1n) break;
  }
  return divisor === 0n ? 1n : divisor;
}

/** The quotient by a positive divisor, rounded down. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/**
 * The smallest and the largest number of items of sets that obey a row. The smallest sum of k items falls and then rises
 * with k, so every number in between is possible. Undefined if no set obeys.
 */
export function countsWithin({ coefficients, limit }: Row): { readonly min: number; readonly max: number } | undefined {
  const sorted = coefficients.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const counts: number[] = [];
  let sum = 0n;
  if (sum <= limit) counts.push(0);
  for (const [index, coefficient] of sorted.entries()) {
    sum += coefficient;
    if (sum <= limit) counts.push(index + 1);
  }
  const [min] = counts;
  const max = counts.at(-1);
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** Whether a row only limits the number of items: all coefficients are equal. */
export const isCount = ({ coefficients: [first, ...others] }: Row): boolean =>
  first !== undefined && first !== 0n && others.every((coefficient) => coefficient === first);
