import { defined } from '../../exact/defined.ts';
import type { MovingRow } from '../bounds/moving-row.ts';
import type { Row } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Budget } from './budget.ts';
import type { Choice } from './choice.ts';
import { createFractionalBound, type FractionalBound } from './fractional-bound.ts';
import type { Order } from './order.ts';
import { createRemainingCapacity, type RemainingCapacity } from './remaining-capacity.ts';

export interface SearchSpace {
  readonly objective: readonly bigint[];
  /** The first row is that of the objective. */
  readonly rows: readonly MovingRow[];
  /** The row by whose efficiencies the items are ordered, and its index in `rows`. */
  readonly surrogate: { readonly row: Row; readonly place: number } | undefined;
  readonly order: Order;
  /** For each item, its groups besides its block. */
  readonly groupsOf: readonly (readonly number[])[];
  /** For each item, whether the search tries to choose it before it tries to leave it out. */
  readonly isTaken: readonly boolean[];
}

export interface Quest {
  /** The least value that the objective must have. */
  readonly goal: bigint;
  /** Whether the first set is enough. Otherwise each further set must be better than the one before. */
  readonly isAnyEnough: boolean;
  readonly choices: readonly Choice[];
  readonly budget: Budget;
}

export interface Findings {
  /** Items of the last set found. */
  readonly found: readonly number[] | undefined;
  /** Whether the search is complete: no other set reaches the goal or is better. False if the budget ended. */
  readonly isComplete: boolean;
  /** The most that the objective can be for sets that were not searched. Undefined if there are none. */
  readonly bound: bigint | undefined;
}

/**
 * Branch and bound, depth first. A node is a state in which one more item is decided. A branch is cut if the least sum of a
 * row is beyond its limit (also the row of the objective), or if Dantzig's bound is below the goal. When the budget ends,
 * the search only bounds the open branches.
 */
export function createSearch<N>(arithmetic: Arithmetic<N>, space: SearchSpace): (quest: Quest) => Findings {
  const { rows, order } = space;
  const coefficients = order.items.flatMap((item) => {
    return rows.map((row) => arithmetic.of(defined(row.coefficients[item])));
  });
  return (quest) => new DepthFirstSearch(arithmetic, { ...space, coefficients }, quest).run();
}

interface Tabulated<N> extends SearchSpace {
  /** By position, then by row. */
  readonly coefficients: readonly N[];
}

class DepthFirstSearch<N> {
  readonly #arithmetic: Arithmetic<N>;
  readonly #zero: N;
  readonly #space: Tabulated<N>;
  readonly #quest: Quest;
  readonly #size: number;
  readonly #capacity: RemainingCapacity<N>;
  /** Dantzig's bound, and the index of its row. */
  readonly #fractional: { readonly bound: FractionalBound<N>; readonly row: number } | undefined;
  readonly #chosen: number[] = [];
  readonly #takenGroups = new Set<number>();
  #goal: bigint;
  #found: readonly number[] | undefined;
  #isDone = false;
  #isComplete = true;
  #bound: bigint | undefined;

  constructor(arithmetic: Arithmetic<N>, space: Tabulated<N>, quest: Quest) {
    const { objective, order, rows, coefficients, surrogate } = space;
    const { choices, goal } = quest;
    this.#arithmetic = arithmetic;
    this.#zero = arithmetic.of(0n);
    this.#space = space;
    this.#quest = quest;
    this.#size = order.items.length;
    this.#goal = goal;
    this.#capacity = createRemainingCapacity(arithmetic, { rows, coefficients, order, choices, goal });
    this.#fractional = surrogate && {
      bound: createFractionalBound(arithmetic, { objective, row: surrogate.row, order, choices }),
      row: surrogate.place,
    };
  }

  run(): Findings {
    this.#visit(0);
    return { found: this.#found, isComplete: this.#isDone || this.#isComplete, bound: this.#bound };
  }

  #visit(position: number): void {
    if (this.#isDone || !this.#capacity.hasRoom(position)) return;
    const excess = this.#excess(position);
    if (excess === undefined) return;
    if (position === this.#size) this.#accept();
    else if (this.#quest.budget.take()) this.#branch(position);
    else this.#abandon(position, excess);
  }

  /** The most by which the objective can exceed the goal, by Dantzig's bound. Undefined if it cannot reach the goal. */
  #excess(position: number): N | undefined {
    if (this.#fractional === undefined) return this.#zero;
    const { isLess, plus } = this.#arithmetic;
    const future = this.#fractional.bound(position, this.#capacity.room(this.#fractional.row));
    if (future === undefined) return undefined;
    const excess = plus(this.#capacity.room(0), future);
    return isLess(excess, this.#zero) ? undefined : excess;
  }

  /** Leaves a branch without searching it, and notes how good its sets can be. */
  #abandon(position: number, excess: N): void {
    this.#isComplete = false;
    const bySums = this.#capacity.excess(position);
    const byFraction = this.#arithmetic.toBigInt(excess);
    const reach = this.#goal + (this.#fractional === undefined || bySums < byFraction ? bySums : byFraction);
    if (this.#bound === undefined || reach > this.#bound) this.#bound = reach;
  }

  #branch(position: number): void {
    const { order, isTaken } = this.#space;
    const item = defined(order.items[position]);
    const choice = this.#quest.choices[item];
    const isTakenFirst = defined(isTaken[item]);
    if (isTakenFirst && choice !== 'out') this.#include(position, item);
    if (choice !== 'in') this.#visit(defined(order.afterExclusion[position]));
    if (!isTakenFirst && choice !== 'out') this.#include(position, item);
  }

  #include(position: number, item: number): void {
    const taken = this.#takenGroups;
    const groups = defined(this.#space.groupsOf[item]);
    for (const group of groups) if (taken.has(group)) return;
    for (const group of groups) taken.add(group);
    this.#chosen.push(item);
    this.#capacity.take(position);
    this.#visit(defined(this.#space.order.blockEnds[position]));
    this.#capacity.giveBack(position);
    this.#chosen.pop();
    for (const group of groups) taken.delete(group);
  }

  #accept(): void {
    this.#found = [...this.#chosen];
    this.#isDone = this.#quest.isAnyEnough;
    this.#goal += this.#arithmetic.toBigInt(this.#capacity.room(0)) + 1n;
    this.#capacity.moveTo(this.#goal);
  }
}
