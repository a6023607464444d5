import { fixedRow, heldAt, type MovingRow, objectiveRow } from '../bounds/moving-row.ts';
import { isCount, type Row } from '../model/row.ts';
import { membershipsOf, partition } from './blocks.ts';
import type { Domain } from './domain.ts';
import { orderByEfficiency, orderByRegret } from './order.ts';
import { relax } from './relaxation.ts';
import type { SearchSpace } from './search.ts';

export interface SpaceOptions {
  /** Rows that were found before, and hold for what is asked now. */
  readonly held?: readonly MovingRow[];
  /** Whether of items that are equally efficient those with the smallest ids come first, or those that take least. */
  readonly isByIds?: boolean;
}

/** What there is to search for the best of an objective. */
export function createSpace(domain: Domain, objective: readonly bigint[], options: SpaceOptions = {}): SearchSpace {
  const { held = [], isByIds = false } = options;
  const { size, kinds, groups } = domain;
  const parts = partition(domain);
  const { gains, bounds, surrogate } = relax(domain, objective, parts);
  const isByEfficiency = groups.length === 0 && surrogate !== undefined;
  const rows = [objectiveRow(objective), ...bounds, ...held, ...domain.rows.map(fixedRow)];
  // Also where it is a row by itself: as the last one, it is found.
  if (surrogate !== undefined) rows.push(fixedRow(surrogate));
  return {
    objective,
    rows,
    surrogate: isByEfficiency ? { row: surrogate, place: rows.length - 1 } : undefined,
    order: isByEfficiency
      ? orderByEfficiency(objective, surrogate, { kinds, loads: isByIds ? [] : loadsOf(domain, surrogate) })
      : orderByRegret(parts.blocks, { kinds, gains }),
    groupsOf: membershipsOf(size, parts.across),
    isTaken: objective.map((gain, item) => gain > 0n || (gains[item] ?? 0) >= 0),
  };
}

/** What the sums of a space say of the sets that reach a goal, for spaces that ask for more. */
export const heldRows = ({ rows }: SearchSpace, goal: bigint): readonly MovingRow[] =>
  rows.slice(1).flatMap((row) => (row.weight > 0n ? [heldAt(row, goal)] : []));

/**
 * What comes first of what is equally efficient. Where the number of items is limited too, those that take least of the
 * other rows, which fill the room with the most items; else those that take most, so that the smallest fill the rest.
 */
function loadsOf({ size, rows }: Domain, surrogate: Row): readonly number[] {
  const loads = new Array<number>(size).fill(0);
  const sign = rows.includes(surrogate) ? -1 : 1;
  for (const row of rows) {
    if (isCount(row)) continue;
    const values = row.coefficients.map(Number);
    const largest = Math.max(...values.map(Math.abs));
    for (const [item, value] of values.entries()) loads[item] = (loads[item] ?? 0) + (sign * value) / largest;
  }
  return loads;
}
