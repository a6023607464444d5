import { defined } from '../../exact/defined.ts';
import { findMultipliers } from '../bounds/dual-simplex.ts';
import type { MovingRow } from '../bounds/moving-row.ts';
import { sumRows } from '../bounds/sum-rows.ts';
import type { Row } from '../model/row.ts';
import type { Blocks } from './blocks.ts';
import type { Domain } from './domain.ts';

export interface Relaxation {
  /** What choosing an item gains by the linear program, in rounded numbers. A negative gain is a cost. */
  readonly gains: readonly number[];
  /** Sums of rows that bound the objective, the best first. */
  readonly bounds: readonly MovingRow[];
  /** The sum of rows alone. If the linear program is infeasible, nothing obeys this row. */
  readonly surrogate: Row | undefined;
}

/**
 * Factors of the multipliers. In states within the search, other multipliers are best. With groups, Dantzig's bound cannot
 * be used, so sums by a few other multipliers take its part.
 */
const VARIATIONS: readonly number[] = [1, 0.97, 1.03, 0.9, 1.1, 0.7, 1.4];

/**
 * Relaxes a problem to a linear program. Groups that are blocks need no multipliers: least sums already take at most one item
 * of each block.
 */
export function relax(domain: Domain, objective: readonly bigint[], { blocks, across }: Blocks): Relaxation {
  const rows = [...domain.rows, ...across.map((items) => atMostOne(domain.size, items))];
  const inNumbers = rows.map(({ coefficients, limit }) => {
    return { coefficients: coefficients.map(Number), limit: Number(limit) };
  });
  const { multipliers, isContradiction } = findMultipliers({
    objective: objective.map(Number),
    rows: inNumbers,
    blocks: blocks.filter(({ length }) => length > 1),
  });
  const gains = objective.map(Number);
  for (const [row, { coefficients }] of inNumbers.entries()) {
    const multiplier = defined(multipliers[row]);
    for (const [item, coefficient] of coefficients.entries()) {
      gains[item] = defined(gains[item]) - multiplier * coefficient;
    }
  }
  const { relaxed, surrogate } = sumRows(objective, rows, multipliers);
  if (isContradiction) return { gains, bounds: [], surrogate };
  if (surrogate === undefined || domain.groups.length === 0) return { gains, bounds: [relaxed], surrogate };
  const varied = VARIATIONS.map((factor) => multipliers.map((multiplier) => multiplier * factor));
  return { gains, bounds: varied.map((by) => sumRows(objective, rows, by).relaxed), surrogate };
}

function atMostOne(size: number, items: readonly number[]): Row {
  const coefficients = new Array<bigint>(size).fill(0n);
  for (const item of items) coefficients[item] = 1n;
  return { coefficients, limit: 1n };
}
