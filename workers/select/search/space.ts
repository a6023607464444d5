import { findMultipliers } from '../bounds/dual-simplex.ts';
import { fixedRow, heldAt, type MovingRow, objectiveRow } from '../bounds/moving-row.ts';
import { sumRows } from '../bounds/sum-rows.ts';
import type { Row } from '../model/row.ts';
import { type Order, orderByEfficiency, orderByRegret } from './order.ts';
import type { SearchSpace } from './search.ts';

/** Rows and groups over `size` items. */
export interface Domain {
  readonly size: number;
  readonly rows: readonly Row[];
  readonly groups: readonly (readonly number[])[];
  /** Of each item, the first that is like it in everything that is asked. */
  readonly kinds: readonly number[];
}

/**
 * Where room is taken or left, the best multipliers change: with groups, where Dantzig's bound has no order to go by, a
 * few sums by others stand for those of the states within.
 */
const VARIATIONS: readonly number[] = [0.7, 0.9, 0.97, 1.03, 1.1, 1.4];

/**
 * What there is to search for the best of an objective.
 * @param held rows that were found before, and hold for what is asked now
 */
export function createSpace(
  domain: Domain,
  objective: readonly bigint[],
  held: readonly MovingRow[] = [],
): SearchSpace {
  const { rows, groups, kinds } = domain;
  const { blocks, others } = partition(domain);
  const across = others.map((group) => ({ coefficients: memberships(domain.size, groups[group] ?? []), limit: 1n }));
  const summed = [...rows, ...across];
  const isBlock = (_: unknown, group: number) => !others.includes(group);
  const inBlocks = groups
    .filter(isBlock)
    .map((group) => ({ coefficients: memberships(domain.size, group), limit: 1n }));
  const { multipliers, isContradiction } = findMultipliers({
    objective: objective.map(Number),
    rows: [...summed, ...inBlocks].map(({ coefficients, limit }) => {
      return { coefficients: coefficients.map(Number), limit: Number(limit) };
    }),
  });
  const { relaxed, surrogate } = sumRows(objective, summed, multipliers);
  const gains = objective.map((gain, item) => {
    return summed.reduce(
      (left, row, at) => left - (multipliers[at] ?? 0) * Number(row.coefficients[item]),
      Number(gain),
    );
  });
  const moving = isContradiction ? [] : [relaxed];
  let order: Order;
  let bounding: Row | undefined;
  if (groups.length === 0 && surrogate !== undefined) {
    order = orderByEfficiency(objective, surrogate, kinds);
    bounding = surrogate;
  } else {
    order = orderByRegret(blocks, { kinds, gains });
    if (!isContradiction && multipliers.some((multiplier) => multiplier > 0)) {
      for (const factor of VARIATIONS) {
        moving.push(
          sumRows(
            objective,
            summed,
            multipliers.map((multiplier) => multiplier * factor),
          ).relaxed,
        );
      }
    }
  }
  const all = [objectiveRow(objective), ...moving, ...held, ...rows.map(fixedRow)];
  if (surrogate !== undefined && (isContradiction || bounding !== undefined)) all.push(fixedRow(surrogate));
  return {
    objective,
    rows: all,
    surrogate: bounding && { row: bounding, place: all.length - 1 },
    order,
    groupsOf: groupsBeside(domain.size, groups, others),
    isTaken: objective.map((gain, item) => gain > 0n || (gains[item] ?? 0) >= 0),
  };
}

/** What the sums of a space say of the sets that reach a goal, for spaces that ask for more. */
export const heldRows = ({ rows }: SearchSpace, goal: bigint): readonly MovingRow[] =>
  rows.slice(1).flatMap((row) => (row.weight > 0n ? [heldAt(row, goal)] : []));

/** Groups that have no item in common, the largest first, and each other item by itself. */
function partition({ size, groups }: Domain) {
  const isTaken = new Array<boolean>(size).fill(false);
  const blocks: (readonly number[])[] = [];
  const others: number[] = [];
  const bySize = groups.map((items, group) => ({ items, group })).sort((a, b) => b.items.length - a.items.length);
  for (const { items, group } of bySize) {
    if (items.some((item) => isTaken[item])) {
      others.push(group);
      continue;
    }
    for (const item of items) isTaken[item] = true;
    blocks.push(items);
  }
  for (let item = 0; item < size; item += 1) if (!isTaken[item]) blocks.push([item]);
  return { blocks, others };
}

function memberships(size: number, items: readonly number[]): readonly bigint[] {
  const coefficients = new Array<bigint>(size).fill(0n);
  for (const item of items) coefficients[item] = 1n;
  return coefficients;
}

function groupsBeside(
  size: number,
  groups: Domain['groups'],
  others: readonly number[],
): readonly (readonly number[])[] {
  const beside = Array.from({ length: size }, (): number[] => []);
  for (const group of others) for (const item of groups[group] ?? []) beside[item]?.push(group);
  return beside;
}
