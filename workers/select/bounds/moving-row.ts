import type { Row } from '../model/row.ts';

/**
 * For every set whose objective is at least `goal`, the sum of its coefficients is at most `constant - weight * goal`. The
 * limit moves when a better set is found and the goal rises.
 */
export interface MovingRow {
  readonly coefficients: readonly bigint[];
  readonly constant: bigint;
  /** Not negative. */
  readonly weight: bigint;
}

export const fixedRow = ({ coefficients, limit }: Row): MovingRow => ({ coefficients, constant: limit, weight: 0n });

/** The row with the limit that it has for one goal. */
export const heldAt = ({ coefficients, constant, weight }: MovingRow, goal: bigint): MovingRow => ({
  coefficients,
  constant: constant - weight * goal,
  weight: 0n,
});

/** The row of the objective itself: its negative is at most the negative of the goal. */
export const objectiveRow = (objective: readonly bigint[]): MovingRow => ({
  coefficients: objective.map((value) => -value),
  constant: 0n,
  weight: 1n,
});

/** The largest absolute value of a row's sums and limit, at any goal that the objective can reach. */
export function magnitudeOf({ coefficients, constant, weight }: MovingRow, objective: readonly bigint[]): bigint {
  return sizeOf(coefficients) + absolute(constant) + weight * (sizeOf(objective) + 1n);
}

const sizeOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + absolute(value), 0n);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
