import type { MovingRow } from '../bounds/moving-row.ts';
import type { Row } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Budget } from './budget.ts';
import type { Choice } from './choice.ts';
import { createFractionalBound } from './fractional-bound.ts';
import { createLedger } from './ledger.ts';
import type { Order } from './order.ts';

export interface SearchSpace {
  readonly objective: readonly bigint[];
  /** That of the objective is the first. */
  readonly rows: readonly MovingRow[];
  /** A row in whose efficiencies the order is, and its place in `rows`. */
  readonly surrogate: { readonly row: Row; readonly place: number } | undefined;
  readonly order: Order;
  /** Of each item, groups beside its block. */
  readonly groupsOf: readonly (readonly number[])[];
  /** Of each item, whether choosing it is tried before not choosing it. */
  readonly isTaken: readonly boolean[];
}

export interface Quest {
  /** The objective is to be at least that. */
  readonly goal: bigint;
  /** Whether to stop at the first set; otherwise each has to be better than the one before. */
  readonly isAnyEnough: boolean;
  readonly choices: readonly Choice[];
  readonly budget: Budget;
}

export interface Findings {
  /** Items of the last set found. */
  readonly found: readonly number[] | undefined;
  /** No other set reaches the goal, or would be better. False where the budget ended. */
  readonly isComplete: boolean;
  /** The objective of sets that were not looked at is at most that; undefined where there are none. */
  readonly bound: bigint | undefined;
}

/**
 * Branch and bound, depth first. A node is a state in which an item is decided. A branch is left where a row's least
 * sum is beyond its limit, that of the objective included, or Dantzig's bound is below the goal. When the budget ends,
 * what is still open is bounded and left.
 */
export function createSearch<N>(arithmetic: Arithmetic<N>, space: SearchSpace): (quest: Quest) => Findings {
  const { rows, order } = space;
  const coefficients = order.items.flatMap((item) => rows.map((row) => arithmetic.of(row.coefficients[item] ?? 0n)));
  return (quest) => search(arithmetic, { ...space, coefficients }, quest);
}

interface Tabulated<N> extends SearchSpace {
  readonly coefficients: readonly N[];
}

function search<N>(arithmetic: Arithmetic<N>, space: Tabulated<N>, quest: Quest): Findings {
  const { isLess, plus, toBigInt } = arithmetic;
  const zero = arithmetic.of(0n);
  const { order, rows, coefficients, surrogate, groupsOf, isTaken } = space;
  const { choices, budget } = quest;
  const size = order.items.length;
  const ledger = createLedger(arithmetic, { rows, coefficients, order, choices, goal: quest.goal });
  const fractional =
    surrogate && createFractionalBound(arithmetic, { objective: space.objective, row: surrogate.row, order, choices });
  const chosen: number[] = [];
  const taken = new Set<number>();
  let goal = quest.goal;
  let found: readonly number[] | undefined;
  let isDone = false;
  let isComplete = true;
  let bound: bigint | undefined;

  /** By how much the objective can exceed the goal from here on; undefined where it cannot reach it. */
  function excess(position: number): N | undefined {
    if (surrogate === undefined || fractional === undefined) return zero;
    const future = fractional(position, ledger.room(surrogate.place));
    if (future === undefined) return undefined;
    const over = plus(ledger.room(0), future);
    return isLess(over, zero) ? undefined : over;
  }

  function visit(position: number): void {
    if (isDone || !ledger.hasRoom(position)) return;
    const over = excess(position);
    if (over === undefined) return;
    if (position === size) accept();
    else if (budget.take()) branch(position);
    else leave(position, toBigInt(over));
  }

  /** Says of what is not looked at how good it can be. */
  function leave(position: number, over: bigint): void {
    isComplete = false;
    const bySums = ledger.excess(position);
    const reach = goal + (fractional === undefined || bySums < over ? bySums : over);
    if (bound === undefined || reach > bound) bound = reach;
  }

  function branch(position: number): void {
    const item = order.items[position] ?? 0;
    const choice = choices[item];
    const isFirst = isTaken[item] === true;
    if (isFirst && choice !== 'out') include(position, item);
    if (choice !== 'in') visit(order.afterExclusion[position] ?? size);
    if (!isFirst && choice !== 'out') include(position, item);
  }

  function include(position: number, item: number): void {
    const groups = groupsOf[item] ?? [];
    for (const group of groups) if (taken.has(group)) return;
    for (const group of groups) taken.add(group);
    chosen.push(item);
    ledger.enter(position);
    visit(order.blockEnds[position] ?? size);
    ledger.leave(position);
    chosen.pop();
    for (const group of groups) taken.delete(group);
  }

  function accept(): void {
    found = [...chosen];
    isDone = quest.isAnyEnough;
    goal += toBigInt(ledger.room(0)) + 1n;
    ledger.ask(goal);
  }

  visit(0);
  return { found, isComplete: isDone || isComplete, bound };
}
