import type { MovingRow } from '../bounds/moving-row.ts';
import { floorDivide } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Choice } from './choice.ts';
import type { Order } from './order.ts';

/** What the items chosen so far leave of each row's limit. */
export interface Ledger<N> {
  enter(position: number): void;
  leave(position: number): void;
  /** Moves the limits to another goal. */
  ask(goal: bigint): void;
  room(row: number): N;
  /** Whether each row has room for the least sum of items from a position on. */
  hasRoom(position: number): boolean;
  /** By how much the objective can exceed the goal at most, by the rows that say so. */
  excess(position: number): bigint;
}

interface Options<N> {
  readonly rows: readonly MovingRow[];
  /** By position, then by row. */
  readonly coefficients: readonly N[];
  readonly order: Order;
  readonly choices: readonly Choice[];
  readonly goal: bigint;
}

export function createLedger<N>(arithmetic: Arithmetic<N>, options: Options<N>): Ledger<N> {
  const { rows, coefficients, order, choices, goal } = options;
  const { of, plus, minus, isLess, toBigInt } = arithmetic;
  const zero = of(0n);
  const count = rows.length;
  const least = leastSums(arithmetic, coefficients, { count, order, choices });
  const rooms = rows.map(({ constant, weight }) => of(constant - weight * goal));
  let asked = goal;

  return {
    enter(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        rooms[row] = minus(rooms[row] ?? zero, coefficients[from + row] ?? zero);
      }
    },
    leave(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        rooms[row] = plus(rooms[row] ?? zero, coefficients[from + row] ?? zero);
      }
    },
    ask(next) {
      for (const [row, { weight }] of rows.entries()) {
        rooms[row] = minus(rooms[row] ?? zero, of(weight * (next - asked)));
      }
      asked = next;
    },
    room: (row) => rooms[row] ?? zero,
    hasRoom(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        if (isLess(rooms[row] ?? zero, least[from + row] ?? zero)) return false;
      }
      return true;
    },
    excess(position) {
      let smallest: bigint | undefined;
      for (const [row, { weight }] of rows.entries()) {
        if (weight === 0n) continue;
        const left = toBigInt(minus(rooms[row] ?? zero, least[position * count + row] ?? zero));
        const over = floorDivide(left, weight);
        if (smallest === undefined || over < smallest) smallest = over;
      }
      return smallest ?? 0n;
    },
  };
}

interface Shape {
  readonly count: number;
  readonly order: Order;
  readonly choices: readonly Choice[];
}

/**
 * The least that a row's sum can be over the items from a position on, with at most one item of each block: where one is
 * in, the others of its block are out.
 */
function leastSums<N>(arithmetic: Arithmetic<N>, coefficients: readonly N[], { count, order, choices }: Shape): N[] {
  const { of, plus, isLess } = arithmetic;
  const zero = of(0n);
  const { items, blockEnds } = order;
  const least = new Array<N>((items.length + 1) * count).fill(zero);
  for (let row = 0; row < count; row += 1) {
    let end = -1;
    let inBlock = zero;
    for (let position = items.length - 1; position >= 0; position -= 1) {
      if (blockEnds[position] !== end) {
        end = blockEnds[position] ?? items.length;
        inBlock = zero;
      }
      const choice = choices[items[position] ?? 0];
      const coefficient = coefficients[position * count + row] ?? zero;
      if (choice === 'in' || (choice === 'open' && isLess(coefficient, inBlock))) inBlock = coefficient;
      least[position * count + row] = plus(least[end * count + row] ?? zero, inBlock);
    }
  }
  return least;
}
