import { defined } from '../../exact/defined.ts';
import { type Row, sizeOf } from '../model/row.ts';

/** Rows with smaller sums than this are summed into rows of safe integers. Sums of others may be of any size. */
const SMALL = 2n ** 40n;
const SAFE_SUM = 2 ** 51;
/** The smallest multiplier is scaled to about this, unless sums would not be safe. */
const PRECISION = 2 ** 24;

/**
 * For every set whose value is at least `goal`, the sum of its coefficients is at most `constant - weight * goal`. The limit
 * moves when a better set is found and the goal rises.
 */
export interface BoundingRow {
  readonly coefficients: readonly bigint[];
  readonly constant: bigint;
  /** Not negative. */
  readonly weight: bigint;
}

export const fixedRow = ({ coefficients, limit }: Row): BoundingRow => ({ coefficients, constant: limit, weight: 0n });

/** The row with the limit that it has for one goal. */
export const rowAt = ({ coefficients, constant, weight }: BoundingRow, goal: bigint): Row => ({
  coefficients,
  limit: constant - weight * goal,
});

/** The row of the objective itself: its negative is at most the negative of the goal. */
export const objectiveRow = (objective: readonly bigint[]): BoundingRow => ({
  coefficients: objective.map((value) => -value),
  constant: 0n,
  weight: 1n,
});

/** The largest absolute value of a row's sums and limit, at any goal that the objective can reach. */
export function magnitudeOf({ coefficients, constant, weight }: BoundingRow, objective: readonly bigint[]): bigint {
  return sizeOf([...coefficients, constant]) + weight * (sizeOf(objective) + 1n);
}

/**
 * The sum of rows by guessed multipliers, which are rounded to integers. The guess need not be exact: any sum of rows times
 * non-negative numbers holds for every set that obeys the rows.
 * @returns `surrogate`, the sum of the rows alone (undefined if all multipliers are 0), and `relaxed`, the sum less the
 *   objective: with the best multipliers, this is the bound of the linear program
 */
export function sumRows(objective: readonly bigint[], rows: readonly Row[], multipliers: readonly number[]) {
  const unit = scaleOf(objective, rows, multipliers);
  const used = rows
    .map((row, index) => ({ row, multiplier: BigInt(Math.round(defined(multipliers[index]) * unit)) }))
    .filter(({ multiplier }) => multiplier > 0n);
  const sum = new Array<bigint>(objective.length).fill(0n);
  let limit = 0n;
  for (const { row, multiplier } of used) {
    limit += multiplier * row.limit;
    for (const [item, weight] of row.coefficients.entries()) sum[item] = defined(sum[item]) + multiplier * weight;
  }
  const weight = BigInt(unit);
  const coefficients = sum.map((value, item) => value - weight * defined(objective[item]));
  const relaxed: BoundingRow = { coefficients, constant: limit, weight };
  // A single row is its own surrogate, with the smallest numbers.
  const surrogate = used.length === 0 ? undefined : used.length === 1 ? used[0]?.row : { coefficients: sum, limit };
  return { relaxed, surrogate };
}

/** The scale of multipliers, a power of two. Logarithms are avoided because they differ between machines. */
function scaleOf(objective: readonly bigint[], rows: readonly Row[], multipliers: readonly number[]): number {
  let scale = PRECISION / Math.min(...multipliers.filter((multiplier) => multiplier > 0));
  const sizes = rows.map(({ coefficients, limit }) => sizeOf([...coefficients, limit]));
  const objectiveSize = sizeOf(objective);
  if ([...sizes, objectiveSize].every((size) => size < SMALL)) {
    const sum = sizes.reduce((total, size, row) => total + defined(multipliers[row]) * Number(size), 0);
    scale = Math.min(scale, SAFE_SUM / (sum + 2 * Number(objectiveSize) + 1));
  }
  let power = 1;
  while (power * 2 <= scale && power < 2 ** 200) power *= 2;
  return power;
}
