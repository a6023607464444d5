import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';

const MAX_STEPS = 300;
/** Most work, in coefficients: about a tenth of a second. */
const MAX_WORK = 30_000_000;
const FIRST_STEP = 2;
const LAST_STEP = 0.001;
/** A bound that is worse by this share counts as equal. */
const TOLERANCE = 1e-4;

/**
 * Lagrange multipliers of rows by the subgradient method (Held and Karp 1971): about those with which the sum of the rows
 * gives the smallest bound on the objective. The step shrinks by a constant factor. Multipliers are floating-point guesses:
 * the caller rounds them and sums the rows exactly. Only operations that IEEE 754 rounds exactly are used, so the guesses
 * are the same on every machine.
 * @param blocks disjoint sets of items, of which at most one is chosen; each item is in one
 */
export function findMultipliers(
  objective: readonly bigint[],
  rows: readonly Row[],
  blocks: readonly (readonly number[])[],
): readonly number[] {
  const gains = Float64Array.from(objective, Number);
  const gainUnit = unitOf(gains);
  const values = gains.map((gain) => gain / gainUnit);
  const sparse = rows.map(toSparse);
  const relaxed = { values, gains, isChosen: new Uint8Array(values.length), rows: sparse, blocks };
  const work = sparse.reduce((sum, { items }) => sum + 2 * items.length, objective.length);
  let multipliers = rows.map(() => 0);
  let best = multipliers;
  let minBound = Number.POSITIVE_INFINITY;
  // More rows and more items need more steps.
  const decay = 1 - 0.6 / (Math.max(1, rows.length) * Math.max(1, objective.length / 100));
  let steps = Math.min(MAX_STEPS, MAX_WORK / work);
  for (let step = FIRST_STEP; step > LAST_STEP && steps > 0; step *= decay) {
    steps -= 1;
    const { bound, excesses } = relax(relaxed, multipliers);
    if (bound < minBound) {
      minBound = bound;
      best = multipliers;
    }
    // A row that is not needed stays out while it is obeyed.
    const ascent = excesses.map((excess, row) => (multipliers[row] === 0 ? Math.max(0, excess) : excess));
    const length = Math.sqrt(ascent.reduce((sum, excess) => sum + excess * excess, 0));
    if (length === 0) break;
    multipliers = multipliers.map((multiplier, row) =>
      Math.max(0, multiplier + (step / length) * defined(ascent[row])),
    );
  }
  // A row that hardly helps is left out: the fewer rows are summed, the smaller the numbers and the more equal ratios.
  for (const row of rows.keys()) {
    const fewer = best.with(row, 0);
    if (relax(relaxed, fewer).bound <= minBound + TOLERANCE * Math.abs(minBound)) best = fewer;
  }
  return best.map((multiplier, row) => (multiplier * gainUnit) / defined(sparse[row]).unit);
}

interface Relaxed {
  readonly values: Float64Array;
  /** Room for intermediate results. */
  readonly gains: Float64Array;
  readonly isChosen: Uint8Array;
  readonly rows: readonly ReturnType<typeof toSparse>[];
  readonly blocks: readonly (readonly number[])[];
}

/** The coefficients of a row that are not 0, relative to their mean. */
function toSparse({ coefficients, limit }: Row) {
  const numbers = Float64Array.from(coefficients, Number);
  const unit = unitOf(numbers);
  const items = Int32Array.from(numbers.keys()).filter((item) => numbers[item] !== 0);
  return { unit, limit: Number(limit) / unit, items, weights: numbers.filter((n) => n !== 0).map((n) => n / unit) };
}

/**
 * The most of the objective if breaking a row costs its multiplier, and by how much the rows are broken then. Plain loops:
 * many selections spend most of their time here.
 */
function relax({ values, gains, isChosen, rows, blocks }: Relaxed, multipliers: readonly number[]) {
  gains.set(values);
  let bound = 0;
  for (const [row, { items, weights, limit }] of rows.entries()) {
    const multiplier = defined(multipliers[row]);
    bound += multiplier * limit;
    for (let i = 0; multiplier > 0 && i < items.length; i += 1) {
      const item = defined(items[i]);
      gains[item] = defined(gains[item]) - multiplier * defined(weights[i]);
    }
  }
  isChosen.fill(0);
  for (const block of blocks) {
    let max = 0;
    let best = -1;
    for (let i = 0; i < block.length; i += 1) {
      const item = defined(block[i]);
      if (defined(gains[item]) > max) [max, best] = [defined(gains[item]), item];
    }
    bound += max;
    if (best >= 0) isChosen[best] = 1;
  }
  const excesses = rows.map(({ items, weights, limit }) => {
    let sum = -limit;
    for (let i = 0; i < items.length; i += 1) if (isChosen[defined(items[i])] === 1) sum += defined(weights[i]);
    return sum;
  });
  return { bound, excesses };
}

/** The mean absolute value, or 1 if all are 0. */
const unitOf = (numbers: Float64Array): number =>
  numbers.reduce((sum, number) => sum + Math.abs(number), 0) / numbers.length || 1;
