import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';
import { type MovingRow, magnitudeOf } from './moving-row.ts';

/** Rows with smaller sums than this are summed into rows of safe integers. Sums of others may be of any size. */
export const SMALL = 2n ** 40n;
const SAFE_SUM = 2n ** 51n;
/** The least multiplier is scaled to at least this. */
const PRECISION = 2 ** 24;

export interface Sums {
  /** The sum of the rows less the objective. With the best multipliers, this is the bound of the linear program. */
  readonly relaxed: MovingRow;
  /** The sum of the rows alone. Undefined if all multipliers are 0. */
  readonly surrogate: Row | undefined;
}

/**
 * Sums rows by guessed multipliers, which are rounded to integers. The guess need not be exact: any sum of rows times
 * non-negative numbers holds for every set that obeys the rows.
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

/** The scale of multipliers, a power of two. Logarithms are avoided because they differ between machines. */
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
    const multiplier = BigInt(Math.round(defined(multipliers[index]) * unit));
    if (multiplier <= 0n) continue;
    counted += 1;
    single = row;
    limit += multiplier * row.limit;
    for (const [item, coefficient] of row.coefficients.entries()) {
      sum[item] = defined(sum[item]) + multiplier * coefficient;
    }
  }
  const weight = BigInt(unit);
  return {
    relaxed: {
      coefficients: sum.map((value, item) => value - weight * defined(objective[item])),
      constant: limit,
      weight,
    },
    // A single row is its own surrogate, with the smallest numbers.
    surrogate: counted === 1 ? single : counted === 0 ? undefined : { coefficients: sum, limit },
  };
}
