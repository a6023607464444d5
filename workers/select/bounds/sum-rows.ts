import type { Row } from '../model/row.ts';
import { type MovingRow, magnitudeOf } from './moving-row.ts';

/** Rows that are smaller than this are summed into rows of safe integers; of others, size does not matter. */
export const SMALL = 2n ** 40n;
const SAFE_SUM = 2n ** 51n;
/** The least multiplier has as many bits. */
const PRECISION = 2 ** 24;

export interface Sums {
  /** The objective less the rows' sum: with the best multipliers, the bound of the linear program. */
  readonly relaxed: MovingRow;
  /** The rows' sum alone; undefined where no row counts. */
  readonly surrogate: Row | undefined;
}

/**
 * Sums rows by guessed multipliers, which are rounded: whatever they are, a sum of rows times numbers that are not
 * negative holds for each set for which the rows do.
 */
export function sumRows(objective: readonly bigint[], rows: readonly Row[], multipliers: readonly number[]): Sums {
  const isSmall = [...rows.map(({ coefficients }) => coefficients), objective].every((values) => sizeIsSmall(values));
  for (let unit = unitOf(multipliers); ; unit /= 2) {
    const sums = sumBy(objective, rows, { unit, multipliers });
    if (!isSmall || unit <= 1 || magnitudeOf(sums.relaxed, objective) <= SAFE_SUM) return sums;
  }
}

const sizeIsSmall = (values: readonly bigint[]) =>
  values.reduce((sum, value) => sum + (value < 0n ? -value : value), 0n) < SMALL;

/** A power of two, as the logarithm is not the same on every machine. */
function unitOf(multipliers: readonly number[]): number {
  const least = Math.min(...multipliers.filter((multiplier) => multiplier > 0));
  let unit = 1;
  while (least * unit < PRECISION && unit < 2 ** 200) unit *= 2;
  return unit;
}

interface Scaled {
  readonly unit: number;
  readonly multipliers: readonly number[];
}

function sumBy(objective: readonly bigint[], rows: readonly Row[], { unit, multipliers }: Scaled): Sums {
  const sum = new Array<bigint>(objective.length).fill(0n);
  let limit = 0n;
  let counted = 0;
  let single: Row | undefined;
  for (const [index, row] of rows.entries()) {
    const multiplier = BigInt(Math.round((multipliers[index] ?? 0) * unit));
    if (multiplier <= 0n) continue;
    counted += 1;
    single = row;
    limit += multiplier * row.limit;
    for (const [item, coefficient] of row.coefficients.entries()) {
      sum[item] = (sum[item] ?? 0n) + multiplier * coefficient;
    }
  }
  const weight = BigInt(unit);
  return {
    relaxed: {
      coefficients: sum.map((value, item) => value - weight * (objective[item] ?? 0n)),
      constant: limit,
      weight,
    },
    // One row alone is its own surrogate, in the smallest numbers.
    surrogate: counted === 1 ? single : counted === 0 ? undefined : { coefficients: sum, limit },
  };
}
