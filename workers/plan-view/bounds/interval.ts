import type { Decimal } from '../../exact/numbers.ts';
import { add, isAtMost, type Limit, least, multiply, negate } from './amount.ts';

/** Inclusive bounds of a number. Undefined: no bound on that side. */
export interface Interval {
  readonly least: Limit;
  readonly greatest: Limit;
}

export const ANY: Interval = { least: undefined, greatest: undefined };

export const point = (value: Limit): Interval => ({ least: value, greatest: value });

export const opposite = ({ least, greatest }: Interval): Interval => ({
  least: greatest && negate(greatest),
  greatest: least && negate(least),
});

export const plus = (one: Interval, other: Interval): Interval => ({
  least: one.least && other.least && add(one.least, other.least),
  greatest: one.greatest && other.greatest && add(one.greatest, other.greatest),
});

export function scaled(interval: Interval, by: Decimal): Interval {
  const { least, greatest } = by.numerator < 0n ? opposite(interval) : interval;
  const factor = by.numerator < 0n ? negate(by) : by;
  return { least: least && multiply(least, factor), greatest: greatest && multiply(greatest, factor) };
}

/** Values in both. */
export const both = (one: Interval, other: Interval): Interval => ({
  least: greatestOf([one.least, other.least]),
  greatest: least([one.greatest, other.greatest]),
});

/** Values in either: a side without a bound in one of them has none. */
export const either = (one: Interval, other: Interval): Interval => ({
  least: one.least && other.least && least([one.least, other.least]),
  greatest: one.greatest && other.greatest && greatestOf([one.greatest, other.greatest]),
});

/** The largest limit, or undefined if none is given. */
export function greatestOf(limits: readonly Limit[]): Limit {
  const known = limits.filter((limit) => limit !== undefined);
  return known.reduce<Limit>((best, limit) => (best === undefined || isAtMost(best, limit) ? limit : best), undefined);
}
