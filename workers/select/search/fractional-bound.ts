import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Order } from './order.ts';
import type { Choice } from './suffix-sums.ts';

/**
 * A bound on what the items from a position on can add to the objective if their sum in the row is at most `room`. Undefined
 * if even their smallest sum is more than that.
 */
export type FractionalBound<N> = (position: number, room: N) => N | undefined;

interface Options {
  readonly objective: readonly bigint[];
  readonly row: Row;
  /** Items by efficiency in the row. */
  readonly order: Order;
  readonly choices: readonly Choice[];
}

/**
 * Dantzig's bound (1957) for coefficients of any sign. Items that gain and free room are taken. Items that cost and need
 * room are left. Items that cost and free room are taken first and may be put back, like an item that gains what it cost.
 */
export function createFractionalBound<N>(arithmetic: Arithmetic<N>, options: Options): FractionalBound<N> {
  const { of, plus, minus, isLess, scale } = arithmetic;
  const zero = of(0n);
  const items = options.order.items.map((item) => relax(item, options));
  /** For each position: gain and weight of the items from it on that are taken at first. */
  const gains = [zero];
  const takes = [zero];
  /** For each position: profit and weight of all open items before it. */
  const profits = [zero];
  const weights = [zero];
  for (const [position, { profit, weight }] of items.entries()) {
    const last = defined(items[items.length - 1 - position]);
    gains.push(plus(defined(gains[position]), of(last.gain)));
    takes.push(plus(defined(takes[position]), of(last.take)));
    profits.push(plus(defined(profits[position]), of(profit)));
    weights.push(plus(defined(weights[position]), of(weight)));
  }
  gains.reverse();
  takes.reverse();

  /** The first position whose item brings the total weight above `reach`. */
  function breakOf(from: number, reach: N): number {
    let low = from;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLess(reach, defined(weights[middle + 1]))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return (position, room) => {
    if (position === items.length) return isLess(room, zero) ? undefined : zero;
    const left = minus(room, defined(takes[position]));
    if (isLess(left, zero)) return undefined;
    const before = defined(weights[position]);
    const at = breakOf(position, plus(before, left));
    const whole = plus(defined(gains[position]), minus(defined(profits[at]), defined(profits[position])));
    if (at === items.length) return whole;
    const rest = minus(left, minus(defined(weights[at]), before));
    const profit = minus(defined(profits[at + 1]), defined(profits[at]));
    return plus(whole, scale(rest, profit, minus(defined(weights[at + 1]), defined(weights[at]))));
  };
}

const NOTHING = { gain: 0n, take: 0n, profit: 0n, weight: 0n };

/** An item as the part that is taken at first (gain, take) and the open part (profit, weight). */
function relax(item: number, { objective, row, choices }: Options): typeof NOTHING {
  const gain = defined(objective[item]);
  const take = defined(row.coefficients[item]);
  if (choices[item] === 'out') return NOTHING;
  if (choices[item] === 'in') return { ...NOTHING, gain, take };
  if (gain > 0n && take > 0n) return { ...NOTHING, profit: gain, weight: take };
  if (gain < 0n && take < 0n) return { gain, take, profit: -gain, weight: -take };
  return gain >= 0n && take <= 0n ? { ...NOTHING, gain, take } : NOTHING;
}
