import { defined } from '../../exact/defined.ts';
import { type Arithmetic, BIG, SAFE } from './arithmetic.ts';
import { magnitudeOf } from './bounding-row.ts';
import type { Budget } from './budget.ts';
import { createFractionalBound, type FractionalBound } from './fractional-bound.ts';
import type { SearchSpace } from './space.ts';
import { type Choice, createRooms, type Rooms } from './suffix-sums.ts';

/** Twice this size is still a safe integer. */
const SAFE_SIZE = 2n ** 52n;

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

/** A search with safe integers if all sums are safe, or else with BigInt. */
export function prepareSearch(space: SearchSpace): Search {
  const isSafe = space.rows.every((row) => magnitudeOf(row, space.objective) <= SAFE_SIZE);
  return isSafe ? createSearch(SAFE, space) : createSearch(BIG, space);
}

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
 *   node 6   c taken: {b, c} has the value 13, the goal is 14.
 *   then     b and c, c alone or neither bring less than 14: all other branches are cut. {b, c} is proven.
 *
 * The order of the branches depends on the selection alone, and work is counted in nodes. So the answer is the same on any
 * machine and thread.
 */
export function createSearch<N>(arithmetic: Arithmetic<N>, space: SearchSpace): Search {
  const coefficients = space.order.items.flatMap((item) => {
    return space.rows.map((row) => arithmetic.of(defined(row.coefficients[item])));
  });
  return (question) => new DepthFirstSearch(arithmetic, { ...space, coefficients }, question).run();
}

interface Tabulated<N> extends SearchSpace {
  /** By position, then by row. */
  readonly coefficients: readonly N[];
}

class DepthFirstSearch<N> {
  readonly #arithmetic: Arithmetic<N>;
  readonly #zero: N;
  readonly #space: Tabulated<N>;
  readonly #question: Question;
  readonly #size: number;
  readonly #rooms: Rooms<N>;
  /** The bound in the last row, the surrogate. */
  readonly #fractional: FractionalBound<N> | undefined;
  readonly #chosen: number[] = [];
  readonly #takenGroups = new Set<number>();
  #goal: bigint;
  #found: readonly number[] | undefined;
  #isDone = false;
  #isComplete = true;
  #bound: bigint | undefined;

  constructor(arithmetic: Arithmetic<N>, space: Tabulated<N>, question: Question) {
    const { objective, order, rows, coefficients, surrogate } = space;
    const { choices, goal } = question;
    this.#arithmetic = arithmetic;
    this.#zero = arithmetic.of(0n);
    this.#space = space;
    this.#question = question;
    this.#size = order.items.length;
    this.#goal = goal;
    this.#rooms = createRooms(arithmetic, { rows, coefficients, order, choices, goal });
    this.#fractional = surrogate && createFractionalBound(arithmetic, { objective, row: surrogate, order, choices });
  }

  run(): Findings {
    this.#visit(0);
    return { found: this.#found, isComplete: this.#isDone || this.#isComplete, bound: this.#bound };
  }

  #visit(position: number): void {
    if (this.#isDone || !this.#rooms.hasRoom(position)) return;
    const excess = this.#excess(position);
    if (excess === undefined) return;
    if (position === this.#size) this.#accept();
    else if (this.#question.budget.take()) this.#branch(position);
    else this.#abandon(position, excess);
  }

  /** The most by which the value can exceed the goal, by the fractional bound. Undefined if it cannot reach the goal. */
  #excess(position: number): N | undefined {
    if (this.#fractional === undefined) return this.#zero;
    const { isLess, plus } = this.#arithmetic;
    const future = this.#fractional(position, this.#rooms.room(this.#space.rows.length - 1));
    if (future === undefined) return undefined;
    const excess = plus(this.#rooms.room(0), future);
    return isLess(excess, this.#zero) ? undefined : excess;
  }

  /** Leaves a branch without searching it, and notes how good its sets can be. */
  #abandon(position: number, excess: N): void {
    this.#isComplete = false;
    const bySums = this.#rooms.excess(position);
    const byFraction = this.#arithmetic.toBigInt(excess);
    const bound = this.#goal + (this.#fractional === undefined || bySums < byFraction ? bySums : byFraction);
    if (this.#bound === undefined || bound > this.#bound) this.#bound = bound;
  }

  #branch(position: number): void {
    const { order, isTakenFirst } = this.#space;
    const item = defined(order.items[position]);
    const choice = this.#question.choices[item];
    const isFirst = defined(isTakenFirst[item]);
    if (isFirst && choice !== 'out') this.#include(position, item);
    if (choice !== 'in') this.#visit(defined(order.afterExclusion[position]));
    if (!isFirst && choice !== 'out') this.#include(position, item);
  }

  #include(position: number, item: number): void {
    const taken = this.#takenGroups;
    const groups = defined(this.#space.groupsOf[item]);
    for (const group of groups) if (taken.has(group)) return;
    for (const group of groups) taken.add(group);
    this.#chosen.push(item);
    this.#rooms.take(position);
    this.#visit(defined(this.#space.order.blockEnds[position]));
    this.#rooms.giveBack(position);
    this.#chosen.pop();
    for (const group of groups) taken.delete(group);
  }

  #accept(): void {
    this.#found = [...this.#chosen];
    this.#isDone = this.#question.isAnyEnough;
    this.#goal += this.#arithmetic.toBigInt(this.#rooms.room(0)) + 1n;
    this.#rooms.moveTo(this.#goal);
  }
}
