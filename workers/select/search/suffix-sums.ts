import { defined } from '../../exact/defined.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Order } from './order.ts';

/** Whether an item is settled to be chosen or not. */
export type Choice = 'open' | 'in' | 'out';

interface Shape {
  /** The number of rows. */
  readonly count: number;
  readonly order: Order;
  readonly choices: readonly Choice[];
}

/**
 * For each position and row, the smallest sum of the items from the position on, with at most one item of each block. If an
 * item is in, the others of its block are out.
 */
export function suffixSums<N>(arithmetic: Arithmetic<N>, weights: readonly N[], { count, order, choices }: Shape): N[] {
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
      const weight = defined(weights[position * count + row]);
      if (choice === 'in' || (choice === 'open' && isLess(weight, inBlock))) inBlock = weight;
      sums[position * count + row] = plus(defined(sums[end * count + row]), inBlock);
    }
  }
  return sums;
}
