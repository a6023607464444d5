import { defined } from '../../exact/defined.ts';
import { fixedRow, heldAt, type MovingRow, objectiveRow } from '../bounds/moving-row.ts';
import { isCount, type Row } from '../model/row.ts';
import { membershipsOf, partition } from './blocks.ts';
import type { Domain } from './domain.ts';
import { orderByEfficiency, orderByRegret } from './order.ts';
import { relax } from './relaxation.ts';
import type { SearchSpace } from './search.ts';

export interface SpaceOptions {
  /** Rows of earlier searches that hold for this one too. */
  readonly held?: readonly MovingRow[];
  /** Whether ties in efficiency are decided by ids instead of by load. */
  readonly isByIds?: boolean;
}

/** The space in which the best set by an objective is searched. */
export function createSpace(domain: Domain, objective: readonly bigint[], options: SpaceOptions = {}): SearchSpace {
  const { held = [], isByIds = false } = options;
  const { size, kinds, groups } = domain;
  const parts = partition(domain);
  const { gains, bounds, surrogate } = relax(domain, objective, parts);
  const isByEfficiency = groups.length === 0 && surrogate !== undefined;
  const rows = [objectiveRow(objective), ...bounds, ...held, ...domain.rows.map(fixedRow)];
  // Pushed even if it already is one of the rows: its index must be the last one.
  if (surrogate !== undefined) rows.push(fixedRow(surrogate));
  return {
    objective,
    rows,
    surrogate: isByEfficiency ? { row: surrogate, place: rows.length - 1 } : undefined,
    order: isByEfficiency
      ? orderByEfficiency(objective, surrogate, { kinds, loads: isByIds ? undefined : loadsOf(domain, surrogate) })
      : orderByRegret(parts.blocks, { kinds, gains }),
    groupsOf: membershipsOf(size, parts.across),
    isTaken: objective.map((gain, item) => gain > 0n || defined(gains[item]) >= 0),
  };
}

/** The rows of a space that hold for every set that reaches a goal, for later spaces. */
export const heldRows = ({ rows }: SearchSpace, goal: bigint): readonly MovingRow[] =>
  rows.slice(1).flatMap((row) => (row.weight > 0n ? [heldAt(row, goal)] : []));

/**
 * Loads that decide ties in efficiency. If the surrogate combines several rows, items that take least of the rows come first:
 * the number of items is limited as well, and these fill the room with the most items. Otherwise items that take most come
 * first, so that small ones fill the rest.
 */
function loadsOf({ size, rows }: Domain, surrogate: Row): readonly number[] {
  const loads = new Array<number>(size).fill(0);
  const sign = rows.includes(surrogate) ? -1 : 1;
  for (const row of rows) {
    if (isCount(row)) continue;
    const values = row.coefficients.map(Number);
    const largest = Math.max(...values.map(Math.abs));
    for (const [item, value] of values.entries()) loads[item] = defined(loads[item]) + (sign * value) / largest;
  }
  return loads;
}
