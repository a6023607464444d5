/** An exact number at the scale of what it limits. Undefined: no limit. */
export type Limit = bigint | undefined;

/** Inclusive bounds of a number. Undefined: no bound on that side. */
export interface Interval {
  readonly min: Limit;
  readonly max: Limit;
}

export const ANY: Interval = { min: undefined, max: undefined };

export const point = (value: bigint): Interval => ({ min: value, max: value });

export const plus = (one: Interval, other: Interval): Interval => ({
  min: one.min === undefined || other.min === undefined ? undefined : one.min + other.min,
  max: one.max === undefined || other.max === undefined ? undefined : one.max + other.max,
});

export function scaled({ min, max }: Interval, by: bigint): Interval {
  if (by === 0n) return point(0n);
  const [low, high] = by < 0n ? [max, min] : [min, max];
  return { min: low && low * by, max: high && high * by };
}

/** The products of a number of each. */
export function times(one: Interval, other: Interval): Interval {
  const ends = ({ min, max }: Interval) => [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
  const corners = ends(one)
    .flatMap((a) => ends(other).map((b) => timesEnd(a, b)))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const limit = (end: End | undefined): Limit => (typeof end === 'bigint' ? end : undefined);
  return { min: limit(corners[0]), max: limit(corners.at(-1)) };
}

/** A number, or an infinite one for a side without a bound. */
type End = bigint | number;

function timesEnd(a: End, b: End): End {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a * b;
  return a === 0n || b === 0n ? 0n : (a < 0n ? -1 : 1) * (b < 0n ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
}

export const isEmpty = ({ min, max }: Interval): boolean => min !== undefined && max !== undefined && min > max;

/** Values in both. */
export const both = (one: Interval, other: Interval): Interval => ({
  min: maxOf([one.min, other.min]),
  max: minOf([one.max, other.max]),
});

/** Values in either: a side without a bound in one of them has none. */
export const either = (one: Interval, other: Interval): Interval => ({
  min: one.min === undefined || other.min === undefined ? undefined : minOf([one.min, other.min]),
  max: one.max === undefined || other.max === undefined ? undefined : maxOf([one.max, other.max]),
});

/** The sums of `min` to `max` numbers, each within the interval. */
export const sumsOf = (each: Interval, { min, max }: { readonly min: number; readonly max: number }): Interval => ({
  min: each.min && each.min * BigInt(each.min < 0n ? max : min),
  max: each.max && each.max * BigInt(each.max < 0n ? min : max),
});

/** The smallest limit, or undefined without any. */
export const minOf = (limits: readonly Limit[]): Limit => pick(limits, (one, best) => one < best);
/** The largest limit, or undefined without any. */
export const maxOf = (limits: readonly Limit[]): Limit => pick(limits, (one, best) => one > best);

function pick(limits: readonly Limit[], isBetter: (one: bigint, best: bigint) => boolean): Limit {
  return limits.reduce(
    (best, one) => (best === undefined || (one !== undefined && isBetter(one, best)) ? one : best),
    undefined,
  );
}

/** The quotient, rounded down. The divisor is above zero. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

export const ceilDivide = (dividend: bigint, divisor: bigint): bigint => -floorDivide(-dividend, divisor);
