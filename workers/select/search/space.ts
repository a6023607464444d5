import { defined } from '../../exact/defined.ts';
import type { Problem } from '../model/problem.ts';
import type { Row } from '../model/row.ts';
import { type BoundingRow, fixedRow, objectiveRow, sumRows } from './bounding-row.ts';
import { findMultipliers } from './multipliers.ts';
import { type Order, orderByEfficiency, orderByRegret } from './order.ts';

/** What a search needs to know about rows, groups and an objective. */
export interface SearchSpace {
  readonly objective: readonly bigint[];
  /** The first row is that of the objective. */
  readonly rows: readonly BoundingRow[];
  /** The row by whose efficiencies the items are ordered. It is the last of `rows` too. */
  readonly surrogate: Row | undefined;
  readonly order: Order;
  /** For each item, its groups besides its block. */
  readonly groupsOf: readonly (readonly number[])[];
  /** For each item, whether the search tries to choose it before it tries to leave it out. */
  readonly isTakenFirst: readonly boolean[];
}

export interface Domain extends Pick<Problem, 'rows' | 'groups'> {
  readonly size: number;
  /** For each item, the first item with the same coefficients, gains and groups. Such items can be exchanged. */
  readonly kinds: readonly number[];
}

/**
 * The space in which the best set by an objective is searched.
 * @param held rows that follow from earlier searches
 */
export function createSpace(domain: Domain, objective: readonly bigint[], held: readonly Row[] = []): SearchSpace {
  const { size, groups, kinds } = domain;
  const { blocks, across } = partition(domain);
  const rows = [...domain.rows, ...across.map((items) => atMostOne(size, items))];
  const multipliers = findMultipliers(objective, rows, blocks);
  const gains = objective.map((value, item) =>
    rows.reduce(
      (gain, row, index) => gain - defined(multipliers[index]) * Number(row.coefficients[item]),
      Number(value),
    ),
  );
  const { relaxed, surrogate } = sumRows(objective, rows, multipliers);
  const isByEfficiency = groups.length === 0 && surrogate !== undefined;
  const fixed = [...held, ...domain.rows, ...(isByEfficiency ? [surrogate] : [])];
  return {
    objective,
    rows: [objectiveRow(objective), relaxed, ...fixed.map(fixedRow)],
    surrogate: isByEfficiency ? surrogate : undefined,
    order: isByEfficiency ? orderByEfficiency(objective, surrogate, kinds) : orderByRegret(blocks, gains, kinds),
    groupsOf: membershipsOf(size, across),
    isTakenFirst: objective.map((value, item) => value > 0n || defined(gains[item]) >= 0),
  };
}

/** Blocks are disjoint groups, the largest first, then each item in none of these by itself. The other groups are across. */
function partition({ size, groups }: Domain) {
  const isTaken = new Array<boolean>(size).fill(false);
  const blocks: (readonly number[])[] = [];
  const across: (readonly number[])[] = [];
  for (const items of groups.toSorted((a, b) => b.length - a.length)) {
    const isDisjoint = !items.some((item) => isTaken[item]);
    (isDisjoint ? blocks : across).push(items);
    if (isDisjoint) for (const item of items) isTaken[item] = true;
  }
  for (let item = 0; item < size; item += 1) if (!isTaken[item]) blocks.push([item]);
  return { blocks, across };
}

function atMostOne(size: number, items: readonly number[]): Row {
  const coefficients = new Array<bigint>(size).fill(0n);
  for (const item of items) coefficients[item] = 1n;
  return { coefficients, limit: 1n };
}

/** For each item, the indices of its groups. */
export function membershipsOf(size: number, groups: Domain['groups']): readonly (readonly number[])[] {
  const memberships = Array.from({ length: size }, (): number[] => []);
  for (const [group, items] of groups.entries()) for (const item of items) defined(memberships[item]).push(group);
  return memberships;
}
