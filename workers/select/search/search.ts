import { defined } from '../../exact/defined.ts';
import { floorDivide } from '../model/row.ts';
import { type Arithmetic, BIG, SAFE } from './arithmetic.ts';
import { magnitudeOf } from './bounding-row.ts';
import { createFractionalBound } from './fractional-bound.ts';
import type { SearchSpace } from './space.ts';
import { type Choice, suffixSums } from './suffix-sums.ts';

/** Twice this size is still a safe integer. */
const SAFE_SIZE = 2n ** 52n;

/** The nodes of all searches for one answer. */
export interface Budget {
  readonly limit: number;
  used: number;
}

export interface Question {
  /** The smallest value that the objective must have. */
  readonly goal: bigint;
  /** Whether the first set is enough. Otherwise each further set must be better than the one before. */
  readonly isAnyEnough: boolean;
  readonly choices: readonly Choice[];
  readonly budget: Budget;
}

export interface Findings {
  /** Items of the last set found: the incumbent. */
  readonly found: readonly number[] | undefined;
  /** Whether the search is complete: no other set reaches the goal or is better. False if the budget ended. */
  readonly isComplete: boolean;
  /** The most that the objective can be for sets that were not searched. Undefined if there are none. */
  readonly bound: bigint | undefined;
}

export type Search = (question: Question) => Findings;

/**
 * Branch and bound, depth first. A node is a state in which one more item is decided: the branch that takes it and the one
 * that leaves it out are searched in turn. A branch is cut if it can hold no set that reaches the goal:
 *
 * 1. By suffix sums: in some row, the smallest sum of the undecided items is more than the room that is left. The objective
 *    is such a row, and so are sums of rows and objective.
 * 2. By the fractional bound: the undecided items, cut into pieces at will, bring less than the goal within the room of the
 *    surrogate, which is one sum of all rows.
 *
 * When a set is found, it is the incumbent, and the goal becomes one more than its value. When the nodes run out, the open
 * branches are only bounded.
 *
 * Example: values 10, 7, 6 and weights 5, 4, 4 of the items a, b, c; at most 8 fits. By efficiency, the order is a (2), b
 * (1.75), c (1.5).
 *
 *   node 1   a is open. Fractional bound: a and 3/4 of b, 10 + 5 = 15.
 *   node 2   a taken, room 3. Bound: 10 + 3/4 of b = 15. b does not fit: its weight 4 is more than the room.
 *   node 3   a taken, b left out. c does not fit either. Leaving it out gives {a}, the incumbent: the goal is 11.
 *   node 4   a left out, room 8. Bound: b and c, 13, is at least 11.
 *   node 5   b taken, room 4. Bound: 7 + 6 = 13.
 *   then     c taken: {b, c} has the value 13, and the goal is 14. No other branch can bring that: {b, c} is proven.
 *
 * The order of the branches depends on the selection alone, and work is counted in nodes. So the answer is the same on any
 * machine and thread.
 */
export function prepareSearch(space: SearchSpace): Search {
  const isSafe = space.rows.every((row) => magnitudeOf(row, space.objective) <= SAFE_SIZE);
  return isSafe ? createSearch(SAFE, space) : createSearch(BIG, space);
}

function createSearch<N>(arithmetic: Arithmetic<N>, space: SearchSpace): Search {
  const { rows, order } = space;
  // By position, then by row.
  const weights = order.items.flatMap((item) => rows.map((row) => arithmetic.of(defined(row.coefficients[item]))));
  return (question) => search(arithmetic, space, weights, question);
}

function search<N>(arithmetic: Arithmetic<N>, space: SearchSpace, weights: readonly N[], question: Question): Findings {
  const { rows, order, surrogate, groupsOf, isTakenFirst } = space;
  const { isAnyEnough, choices, budget } = question;
  const { of, plus, minus, isLess, toBigInt } = arithmetic;
  const zero = of(0n);
  const size = order.items.length;
  const count = rows.length;
  let { goal } = question;
  /** The room that the chosen items leave in each row: its limit less the sum of their weights. */
  const rooms = rows.map(({ constant, weight }) => of(constant - weight * goal));
  const minSums = suffixSums(arithmetic, weights, { count, order, choices });
  const fractionalBound = surrogate && createFractionalBound(arithmetic, { ...space, row: surrogate, choices });
  const chosen: number[] = [];
  const takenGroups = new Set<number>();
  let found: readonly number[] | undefined;
  let isDone = false;
  let isComplete = true;
  let bound: bigint | undefined;
  visit(0);
  return { found, isComplete: isDone || isComplete, bound };

  function visit(position: number): void {
    if (isDone || !hasRoom(position)) return;
    let excess: N | undefined;
    if (fractionalBound !== undefined) {
      // The surrogate is the last row, and the objective the first.
      const future = fractionalBound(position, defined(rooms[count - 1]));
      if (future === undefined) return;
      excess = plus(defined(rooms[0]), future);
      if (isLess(excess, zero)) return;
    }
    if (position === size) accept();
    else if (budget.used === budget.limit) abandon(position, excess);
    else branch(position);
  }

  function hasRoom(position: number): boolean {
    const from = position * count;
    for (let row = 0; row < count; row += 1) {
      if (isLess(defined(rooms[row]), defined(minSums[from + row]))) return false;
    }
    return true;
  }

  function branch(position: number): void {
    budget.used += 1;
    const item = defined(order.items[position]);
    const isFirst = defined(isTakenFirst[item]);
    if (isFirst && choices[item] !== 'out') take(position, item);
    if (choices[item] !== 'in') visit(defined(order.afterExclusion[position]));
    if (!isFirst && choices[item] !== 'out') take(position, item);
  }

  function take(position: number, item: number): void {
    const groups = defined(groupsOf[item]);
    for (const group of groups) if (takenGroups.has(group)) return;
    for (const group of groups) takenGroups.add(group);
    chosen.push(item);
    const from = position * count;
    for (let row = 0; row < count; row += 1) rooms[row] = minus(defined(rooms[row]), defined(weights[from + row]));
    visit(defined(order.blockEnds[position]));
    for (let row = 0; row < count; row += 1) rooms[row] = plus(defined(rooms[row]), defined(weights[from + row]));
    chosen.pop();
    for (const group of groups) takenGroups.delete(group);
  }

  /** The chosen items become the incumbent, and the goal rises. */
  function accept(): void {
    found = [...chosen];
    isDone = isAnyEnough;
    const rise = toBigInt(defined(rooms[0])) + 1n;
    goal += rise;
    for (const [row, { weight }] of rows.entries()) rooms[row] = minus(defined(rooms[row]), of(weight * rise));
  }

  /** Leaves a branch without searching it, and notes how good its sets can be. */
  function abandon(position: number, excess: N | undefined): void {
    isComplete = false;
    let max = excess === undefined ? undefined : toBigInt(excess);
    for (const [row, { weight }] of rows.entries()) {
      if (weight === 0n) continue;
      const left = toBigInt(minus(defined(rooms[row]), defined(minSums[position * count + row])));
      const bySums = floorDivide(left, weight);
      if (max === undefined || bySums < max) max = bySums;
    }
    // The row of the objective always has a weight.
    const reach = goal + defined(max);
    if (bound === undefined || reach > bound) bound = reach;
  }
}
