import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';

const MAX_STEPS = 150;
/** Most work, in coefficients: about a tenth of a second. */
const MAX_WORK = 30_000_000;
const FIRST_STEP = 2;
const LAST_STEP = 1e-3;
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
  const gains = objective.map(Number);
  const gainUnit = unitOf(gains);
  const values = Float64Array.from(gains, (gain) => gain / gainUnit);
  const sparse = rows.map(toSparse);
  const work = sparse.reduce((sum, { items }) => sum + 2 * items.length, objective.length);
  let multipliers = rows.map(() => 0);
  let best = multipliers;
  let minBound = Number.POSITIVE_INFINITY;
  // More rows need more steps.
  const decay = 1 - 0.4 / Math.max(1, rows.length);
  let steps = Math.min(MAX_STEPS, MAX_WORK / work);
  for (let step = FIRST_STEP; step > LAST_STEP && steps > 0; step *= decay) {
    steps -= 1;
    const { bound, excesses } = relax(values, sparse, blocks, multipliers);
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
    if (relax(values, sparse, blocks, fewer).bound <= minBound + TOLERANCE * Math.abs(minBound)) best = fewer;
  }
  return best.map((multiplier, row) => (multiplier * gainUnit) / defined(sparse[row]).unit);
}

/** The coefficients of a row that are not 0, relative to their mean. */
function toSparse({ coefficients, limit }: Row) {
  const numbers = coefficients.map(Number);
  const unit = unitOf(numbers);
  const items = Int32Array.from(numbers.flatMap((number, item) => (number === 0 ? [] : [item])));
  return {
    unit,
    limit: Number(limit) / unit,
    items,
    weights: Float64Array.from(items, (i) => defined(numbers[i]) / unit),
  };
}

/** The most of the objective if breaking a row costs its multiplier, and by how much the rows are broken then. */
function relax(
  values: Float64Array,
  rows: readonly ReturnType<typeof toSparse>[],
  blocks: readonly (readonly number[])[],
  multipliers: readonly number[],
) {
  const gains = values.slice();
  let bound = 0;
  for (const [row, { items, weights, limit }] of rows.entries()) {
    const multiplier = defined(multipliers[row]);
    if (multiplier === 0) continue;
    bound += multiplier * limit;
    for (let i = 0; i < items.length; i += 1) {
      const item = defined(items[i]);
      gains[item] = defined(gains[item]) - multiplier * defined(weights[i]);
    }
  }
  const isChosen = new Uint8Array(values.length);
  for (const block of blocks) {
    let max = 0;
    let chosen = -1;
    for (const item of block) {
      if (defined(gains[item]) <= max) continue;
      max = defined(gains[item]);
      chosen = item;
    }
    bound += max;
    if (chosen >= 0) isChosen[chosen] = 1;
  }
  const excesses = rows.map(({ items, weights, limit }) => {
    let sum = -limit;
    for (let i = 0; i < items.length; i += 1) if (isChosen[defined(items[i])] === 1) sum += defined(weights[i]);
    return sum;
  });
  return { bound, excesses };
}

/** The mean absolute value, or 1 if all are 0. */
const unitOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + Math.abs(number), 0) / numbers.length || 1;
