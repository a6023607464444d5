import { defined } from '../../exact/defined.ts';
import { type Inequality, Tableau } from './tableau.ts';

/** Most work of one program, in entries of the tableau: about a tenth of a second. */
const MAX_WORK = 100_000_000;
const MAX_PIVOTS = 2000;
const TOLERANCE = 1e-9;

export interface LinearProgram {
  /** Maximized over unknowns from 0 to 1. */
  readonly objective: readonly number[];
  readonly rows: readonly Inequality[];
  /** Disjoint sets of unknowns. The sum of each set is at most 1. */
  readonly blocks: readonly (readonly number[])[];
}

export interface Multipliers {
  /** Whether the multipliers prove, apart from rounding, that no unknowns obey the rows. */
  readonly isContradiction: boolean;
  /** One for each row, not negative. */
  readonly multipliers: readonly number[];
}

/**
 * Multipliers with which the sum of the rows gives the least bound on the objective, by the bounded dual simplex method.
 * The first basis has the slacks and the best unknown of each block; every other unknown is at the bound that its cost
 * prefers. This is dual feasible, so the multipliers give a bound whenever the method stops, though not always the least.
 * They are floating-point guesses: the caller rounds them and sums the rows exactly.
 */
export function findMultipliers({ objective, rows, blocks }: LinearProgram): Multipliers {
  const unit = largestOf(objective);
  const units = rows.map(({ coefficients }) => largestOf(coefficients));
  const tableau = createTableau({ objective, rows, blocks }, unit, units);
  const pivots = Math.min(MAX_PIVOTS, MAX_WORK / (1 + (rows.length + blocks.length) * objective.length));
  let contradiction: readonly number[] | undefined;
  for (let pivot = 0; pivot < pivots && contradiction === undefined; pivot += 1) {
    const leaving = tableau.leaving();
    if (leaving === undefined) break;
    const entering = tableau.entering(leaving);
    if (entering === undefined) contradiction = tableau.ray(leaving);
    else tableau.pivot(leaving, entering);
  }
  const found = contradiction ?? tableau.duals();
  const scale = contradiction === undefined ? unit : 1;
  const multipliers = units.map((rowUnit, row) => {
    const multiplier = defined(found[row]);
    return multiplier > TOLERANCE ? (multiplier * scale) / rowUnit : 0;
  });
  return { isContradiction: contradiction !== undefined, multipliers };
}

/** The program with all coefficients scaled to -1 … 1. */
function createTableau(program: LinearProgram, unit: number, units: readonly number[]): Tableau {
  const { objective, rows, blocks } = program;
  const costs = objective.map((cost) => cost / unit);
  const scaled = rows.map(({ coefficients, limit }, row) => {
    const rowUnit = defined(units[row]);
    return { coefficients: coefficients.map((coefficient) => coefficient / rowUnit), limit: limit / rowUnit };
  });
  const blockRows = blocks.map((block) => {
    const coefficients = costs.map(() => 0);
    for (const unknown of block) coefficients[unknown] = 1;
    return { coefficients, limit: 1 };
  });
  const inBlocks = new Set(blocks.flat());
  const isUpper = costs.map((cost, unknown) => cost > 0 && !inBlocks.has(unknown));
  const tableau = new Tableau(costs, [...scaled, ...blockRows], isUpper);
  for (const [index, block] of blocks.entries()) {
    const best = block.reduce((a, b) => (defined(costs[b]) > defined(costs[a]) ? b : a));
    if (defined(costs[best]) > 0) tableau.pivot({ row: rows.length + index, end: 0 }, best);
  }
  return tableau;
}

/** The largest absolute value, or 1 if all values are 0. */
const largestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
