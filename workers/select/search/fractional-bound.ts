import type { Row } from '../model/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Choice } from './choice.ts';
import type { Order } from './order.ts';

/** The most that the items from a position on can add to the objective, if their sum is to leave `room` in the row. */
export type FractionalBound<N> = (position: number, room: N) => N | undefined;

interface Options {
  readonly objective: readonly bigint[];
  readonly row: Row;
  /** By efficiency in that row. */
  readonly order: Order;
  readonly choices: readonly Choice[];
}

/**
 * Dantzig's bound (1957) for whatever signs: what gains and frees room is taken, what costs and takes it is left, and
 * what costs and frees it is taken at first and may be put back, as an item that gains what it cost. Undefined where even
 * the least sum is too much.
 */
export function createFractionalBound<N>(arithmetic: Arithmetic<N>, options: Options): FractionalBound<N> {
  const { of, plus, minus, isLess, scale } = arithmetic;
  const zero = of(0n);
  const items = options.order.items.map((item) => relax(item, options));
  /** Of the items from a position on: what is taken at first. */
  const gains = items.map(() => zero);
  const takes = items.map(() => zero);
  /** Of the items before a position, as if all that is open were taken. */
  const profits = [zero];
  const weights = [zero];
  let gain = zero;
  let taken = zero;
  for (let position = items.length - 1; position >= 0; position -= 1) {
    gains[position] = gain = plus(gain, of(items[position]?.gain ?? 0n));
    takes[position] = taken = plus(taken, of(items[position]?.take ?? 0n));
  }
  for (const [position, { profit, weight }] of items.entries()) {
    profits.push(plus(profits[position] ?? zero, of(profit)));
    weights.push(plus(weights[position] ?? zero, of(weight)));
  }

  /** The first position after which the weights since the beginning are more than `reach`. */
  function breakOf(from: number, reach: N): number {
    let low = from;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLess(reach, weights[middle + 1] ?? zero)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return (position, room) => {
    if (position === items.length) return isLess(room, zero) ? undefined : zero;
    const left = minus(room, takes[position] ?? zero);
    if (isLess(left, zero)) return undefined;
    const before = weights[position] ?? zero;
    const at = breakOf(position, plus(before, left));
    const whole = plus(gains[position] ?? zero, minus(profits[at] ?? zero, profits[position] ?? zero));
    if (at === items.length) return whole;
    const rest = minus(left, minus(weights[at] ?? zero, before));
    const profit = minus(profits[at + 1] ?? zero, profits[at] ?? zero);
    return plus(whole, scale(rest, profit, minus(weights[at + 1] ?? zero, weights[at] ?? zero)));
  };
}

const NOTHING = { gain: 0n, take: 0n, profit: 0n, weight: 0n };

/** An item as what is taken at first and what is open. */
function relax(item: number, { objective, row, choices }: Options): typeof NOTHING {
  const gain = objective[item] ?? 0n;
  const take = row.coefficients[item] ?? 0n;
  if (choices[item] === 'out') return NOTHING;
  if (choices[item] === 'in') return { ...NOTHING, gain, take };
  if (gain > 0n && take > 0n) return { ...NOTHING, profit: gain, weight: take };
  if (gain < 0n && take < 0n) return { gain, take, profit: -gain, weight: -take };
  return gain >= 0n && take <= 0n ? { ...NOTHING, gain, take } : NOTHING;
}
