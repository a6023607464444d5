import { defined } from '../../exact/defined.ts';
import type { Selection } from '../request/selection.ts';
import type { Constraint } from './constraint.ts';
import { countsWithin, isCount, type Row, reduceRow } from './row.ts';

/** A selection without required and forbidden items. Rows and groups refer to items by their index in `free`. */
export interface Problem {
  /** Indices in the selection, ascending. */
  readonly free: readonly number[];
  readonly required: readonly number[];
  readonly rows: readonly Row[];
  /** Groups of two or more items. At most one item of each is chosen. */
  readonly groups: readonly (readonly number[])[];
}

/** The problem of some constraints of a selection. Undefined if required and forbidden items already contradict each other. */
export function poseProblem(selection: Selection, constraints: readonly Constraint[]): Problem | undefined {
  const required = new Set(constraints.flatMap((one) => (one.kind === 'require' ? [one.item] : [])));
  const excluded = new Set(constraints.flatMap((one) => (one.kind === 'forbid' ? [one.item] : [])));
  const allGroups = constraints.flatMap((one) => (one.kind === 'group' ? [one.items] : []));
  for (const items of allGroups) {
    const taken = items.filter((item) => required.has(item));
    if (taken.length > 1) return undefined;
    if (taken.length === 1) for (const item of items) if (item !== taken[0]) excluded.add(item);
  }
  if ([...required].some((item) => excluded.has(item))) return undefined;
  const free = selection.ids.map((_, item) => item).filter((item) => !required.has(item) && !excluded.has(item));
  const rows: Row[] = [];
  const add = (values: readonly bigint[], limit: bigint) => {
    let left = limit;
    for (const item of required) left -= defined(values[item]);
    rows.push({ coefficients: free.map((item) => defined(values[item])), limit: left });
  };
  for (const constraint of constraints) {
    if (constraint.kind === 'min') add(new Array(selection.ids.length).fill(-1n), -BigInt(constraint.count));
    if (constraint.kind === 'max') add(new Array(selection.ids.length).fill(1n), BigInt(constraint.count));
    if (constraint.kind === 'capacity') add(defined(selection.values.get(constraint.of)), constraint.max);
  }
  const places = new Map(free.map((item, place) => [item, place]));
  // An item that is not free has no place.
  const groups = allGroups.map((items) => items.flatMap((item) => places.get(item) ?? []));
  const reduced = reduceRows(free.length, rows);
  if (reduced === undefined) return undefined;
  return { free, required: [...required], rows: reduced, groups: groups.filter(({ length }) => length > 1) };
}

/**
 * Rows without those that every set obeys, and with rows for the smallest and the largest number of items that they imply.
 * Implied rows exclude no set of whole items, but they exclude fractional ones, over which bounds are computed (Martello and
 * Toth 1997). Undefined if no number of items is possible.
 */
export function reduceRows(size: number, rows: readonly Row[]): readonly Row[] | undefined {
  let min = 0;
  let max = size;
  for (const row of rows) {
    const counts = countsWithin(row);
    if (counts === undefined) return undefined;
    min = Math.max(min, counts.min);
    max = Math.min(max, counts.max);
  }
  if (min > max) return undefined;
  const kept = rows.filter((row) => !isCount(row));
  if (min > 0) kept.push({ coefficients: new Array(size).fill(-1n), limit: BigInt(-min) });
  if (max < size) kept.push({ coefficients: new Array(size).fill(1n), limit: BigInt(max) });
  return kept.flatMap((row) => reduceRow(row) ?? []);
}
