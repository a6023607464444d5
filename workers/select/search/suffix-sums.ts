import { defined } from '../../exact/defined.ts';
import { floorDivide } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { BoundingRow } from './bounding-row.ts';
import type { Order } from './order.ts';

/** Whether an item is settled to be chosen or not. */
export type Choice = 'open' | 'in' | 'out';

/** The room that the items chosen so far leave in each row: its limit less the sum of their coefficients. */
export interface Rooms<N> {
  /** Takes the item at a position. */
  take(position: number): void;
  /** Gives the item at a position back. */
  giveBack(position: number): void;
  /** Moves the limits to another goal. */
  moveTo(goal: bigint): void;
  room(row: number): N;
  /** Whether each row has room for the smallest sum of the items from a position on. */
  hasRoom(position: number): boolean;
  /** The most by which the objective can exceed the goal, by the rows whose limits depend on it. */
  excess(position: number): bigint;
}

interface Options<N> {
  readonly rows: readonly BoundingRow[];
  /** By position, then by row. */
  readonly coefficients: readonly N[];
  readonly order: Order;
  readonly choices: readonly Choice[];
  readonly goal: bigint;
}

export function createRooms<N>(arithmetic: Arithmetic<N>, options: Options<N>): Rooms<N> {
  const { rows, coefficients, order, choices, goal } = options;
  const { of, plus, minus, isLess, toBigInt } = arithmetic;
  const count = rows.length;
  const sums = suffixSums(arithmetic, coefficients, { count, order, choices });
  const rooms = rows.map(({ constant, weight }) => of(constant - weight * goal));
  let currentGoal = goal;

  return {
    take(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        rooms[row] = minus(defined(rooms[row]), defined(coefficients[from + row]));
      }
    },
    giveBack(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        rooms[row] = plus(defined(rooms[row]), defined(coefficients[from + row]));
      }
    },
    moveTo(next) {
      for (const [row, { weight }] of rows.entries()) {
        rooms[row] = minus(defined(rooms[row]), of(weight * (next - currentGoal)));
      }
      currentGoal = next;
    },
    room: (row) => defined(rooms[row]),
    hasRoom(position) {
      const from = position * count;
      for (let row = 0; row < count; row += 1) {
        if (isLess(defined(rooms[row]), defined(sums[from + row]))) return false;
      }
      return true;
    },
    excess(position) {
      let smallest: bigint | undefined;
      for (const [row, { weight }] of rows.entries()) {
        if (weight === 0n) continue;
        const left = toBigInt(minus(defined(rooms[row]), defined(sums[position * count + row])));
        const over = floorDivide(left, weight);
        if (smallest === undefined || over < smallest) smallest = over;
      }
      // The row of the objective always has a weight.
      return defined(smallest);
    },
  };
}

interface Shape {
  readonly count: number;
  readonly order: Order;
  readonly choices: readonly Choice[];
}

/**
 * For each position and row, the smallest sum of the items from the position on, with at most one item of each block. If an
 * item is in, the others of its block are out.
 */
function suffixSums<N>(arithmetic: Arithmetic<N>, coefficients: readonly N[], { count, order, choices }: Shape): N[] {
  const { of, plus, isLess } = arithmetic;
  const zero = of(0n);
  const { items, blockEnds } = order;
  const sums = new Array<N>((items.length + 1) * count).fill(zero);
  for (let row = 0; row < count; row += 1) {
    let end = -1;
    let inBlock = zero;
    for (let position = items.length - 1; position >= 0; position -= 1) {
      const blockEnd = defined(blockEnds[position]);
      if (blockEnd !== end) {
        end = blockEnd;
        inBlock = zero;
      }
      const choice = choices[defined(items[position])];
      const coefficient = defined(coefficients[position * count + row]);
      if (choice === 'in' || (choice === 'open' && isLess(coefficient, inBlock))) inBlock = coefficient;
      sums[position * count + row] = plus(defined(sums[end * count + row]), inBlock);
    }
  }
  return sums;
}
