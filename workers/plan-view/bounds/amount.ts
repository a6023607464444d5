import { defined } from '../../exact/defined.ts';
import { type Decimal, formatNumber, parseNumber } from '../../exact/numbers.ts';

/** An exact number, or undefined for no limit. */
export type Limit = Decimal | undefined;

export const ZERO: Decimal = { numerator: 0n, scale: 0 };
export const ONE: Decimal = { numerator: 1n, scale: 0 };

/** As documents write numbers: up to 38 digits, one text for each number of a scale. `007` and `-0` are texts. */
const NUMBER = /^(?!-0(?:\.0+)?$)(?=-?(?:\.?[0-9]){1,38}$)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Reads a number of a document, a string or a safe integer. Undefined for anything else. */
export function toAmount(json: unknown): Limit {
  if (typeof json === 'number' && Number.isSafeInteger(json)) return { numerator: BigInt(json), scale: 0 };
  return typeof json === 'string' && NUMBER.test(json) ? parseNumber(json, '') : undefined;
}

function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const scale = Math.max(one.scale, other.scale);
  const at = ({ numerator, scale: own }: Decimal) => numerator * 10n ** BigInt(scale - own);
  return [at(one), at(other), scale];
}

export function isAtMost(one: Decimal, other: Decimal): boolean {
  const [left, right] = aligned(one, other);
  return left <= right;
}

export function add(one: Decimal, other: Decimal): Decimal {
  const [left, right, scale] = aligned(one, other);
  return { numerator: left + right, scale };
}

export const subtract = (one: Decimal, other: Decimal): Decimal => add(one, negate(other));

export const times = ({ numerator, scale }: Decimal, count: number): Decimal => ({
  numerator: numerator * BigInt(count),
  scale,
});

/** The least of some limits. Undefined if there is none. */
export function least(limits: readonly Limit[]): Limit {
  const known = limits.filter((limit) => limit !== undefined);
  return known.reduce<Limit>((best, limit) => (best === undefined || isAtMost(limit, best) ? limit : best), undefined);
}

/** The sum of limits. Undefined if one of them is no limit. */
export function total(limits: readonly Limit[]): Limit {
  let sum: Decimal = ZERO;
  for (const limit of limits) {
    if (limit === undefined) return undefined;
    sum = add(sum, limit);
  }
  return sum;
}

/** Compares for sorting, the largest first. */
export const descending = (one: Decimal, other: Decimal): number => {
  const [left, right] = aligned(one, other);
  return left === right ? 0 : left > right ? -1 : 1;
};

/** `25,000.00` */
export function describeAmount(amount: Decimal): string {
  const [whole = '', fraction] = formatNumber(amount).split('.');
  const grouped = defined(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  numerator: one.numerator * other.numerator,
  scale: one.scale + other.scale,
});

/** A quotient with `scale` decimals, rounded down or up. The divisor is above zero. */
export function divide(dividend: Decimal, by: Decimal, scale: number, rounding: 'down' | 'up'): Decimal {
  const numerator = dividend.numerator * 10n ** BigInt(by.scale + scale);
  const denominator = by.numerator * 10n ** BigInt(dividend.scale);
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  // Division of bigints rounds towards zero.
  const correction = rest === 0n ? 0n : rounding === 'down' ? (rest < 0n ? -1n : 0n) : rest > 0n ? 1n : 0n;
  return { numerator: quotient + correction, scale };
}

export const negate = (amount: Decimal): Decimal => ({ ...amount, numerator: -amount.numerator });
