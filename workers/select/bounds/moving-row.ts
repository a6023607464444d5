import type { Row } from '../model/row.ts';

/**
 * A sum that is at most `constant - weight * goal`, for every set whose objective is at least `goal`: the row moves as
 * better sets are found and more is asked.
 */
export interface MovingRow {
  readonly coefficients: readonly bigint[];
  readonly constant: bigint;
  /** Not negative. */
  readonly weight: bigint;
}

export const fixedRow = ({ coefficients, limit }: Row): MovingRow => ({ coefficients, constant: limit, weight: 0n });

/** What it is for one goal, for good. */
export const heldAt = ({ coefficients, constant, weight }: MovingRow, goal: bigint): MovingRow => ({
  coefficients,
  constant: constant - weight * goal,
  weight: 0n,
});

/** The objective itself: its negative is at most the negative of the goal. */
export const objectiveRow = (objective: readonly bigint[]): MovingRow => ({
  coefficients: objective.map((value) => -value),
  constant: 0n,
  weight: 1n,
});

/** The most that a row's sums can come to, in either direction, at any goal that the objective can reach. */
export function magnitudeOf({ coefficients, constant, weight }: MovingRow, objective: readonly bigint[]): bigint {
  return sizeOf(coefficients) + absolute(constant) + weight * (sizeOf(objective) + 1n);
}

const sizeOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + absolute(value), 0n);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
