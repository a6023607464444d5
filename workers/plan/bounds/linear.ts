import type { Expression, Quantified, Unique } from '../language/terms.ts';
import {
  ANY,
  both,
  ceilDivide,
  either,
  floorDivide,
  type Interval,
  isEmpty,
  plus,
  point,
  scaled,
  times,
} from './interval.ts';

/** A number as a sum: named numbers, each times a factor, and a number between the bounds `rest`. */
export interface Linear {
  readonly factors: ReadonlyMap<string, bigint>;
  readonly rest: Interval;
}

/** Where the numbers of an expression come from. */
export interface Numbers {
  /** A reference, a look-up or an aggregate. */
  readonly linearOf: (leaf: Expression) => Linear;
  /** Bounds of a named number. */
  readonly boundsOf: (name: string) => Interval;
  /** The numbers in the body of an aggregate. */
  readonly inside: (node: Quantified | Unique) => Numbers;
}

const NONE: ReadonlyMap<string, bigint> = new Map();

export const bounded = (rest: Interval): Linear => ({ factors: NONE, rest });
export const named = (name: string): Linear => ({ factors: new Map([[name, 1n]]), rest: point(0n) });

export function add(one: Linear, other: Linear): Linear {
  const factors = new Map(one.factors);
  for (const [name, by] of other.factors) factors.set(name, (factors.get(name) ?? 0n) + by);
  return { factors, rest: plus(one.rest, other.rest) };
}

export const multiply = ({ factors, rest }: Linear, by: bigint): Linear => ({
  factors: new Map([...factors].map(([name, factor]) => [name, factor * by])),
  rest: scaled(rest, by),
});

/** The expression as a sum. What is not a number, or not understood, is between no bounds. */
export function linearOf(expression: Expression, numbers: Numbers): Linear {
  const inner = (operand: Expression) => linearOf(operand, numbers);
  const interval = (operand: Expression) => intervalOf(operand, numbers);
  switch (expression.op) {
    case 'literal':
      return bounded(typeof expression.value === 'bigint' ? point(expression.value) : ANY);
    case '+':
      return expression.args.map(inner).reduce(add, bounded(point(0n)));
    case '*':
      return multiply(inner(expression.arg), expression.by);
    case 'times': {
      const { left, right } = expression;
      const [one, other] = [interval(left), interval(right)];
      if (one.min !== undefined && one.min === one.max) return multiply(inner(right), one.min);
      if (other.min !== undefined && other.min === other.max) return multiply(inner(left), other.min);
      return bounded(times(one, other));
    }
    case 'min':
    case 'max': {
      const [left, right] = [interval(expression.left), interval(expression.right)];
      const [{ min }, { max }] =
        expression.op === 'min' ? [either(left, right), both(left, right)] : [both(left, right), either(left, right)];
      return bounded({ min, max });
    }
    case 'ite':
      return bounded(either(interval(expression.whenTrue), interval(expression.whenFalse)));
    case 'div': {
      const { min, max } = interval(expression.arg);
      // Euclidean: the quotient of a rising dividend never falls.
      const down = (value: bigint) =>
        expression.by > 0n ? floorDivide(value, expression.by) : -floorDivide(value, -expression.by);
      const quotients = { min: min && down(min), max: max && down(max) };
      return bounded(expression.by > 0n ? quotients : { min: quotients.max, max: quotients.min });
    }
    case 'not':
    case 'and':
    case 'or':
    case '=':
    case '<':
    case '<=':
      return bounded(ANY);
    default:
      return numbers.linearOf(expression);
  }
}

/** Bounds of an expression of a number. */
export function intervalOf(expression: Expression, numbers: Numbers): Interval {
  return boundsOfSum(linearOf(expression, numbers), numbers);
}

/** @param without a named number that is left out */
export function boundsOfSum({ factors, rest }: Linear, { boundsOf }: Numbers, without?: string): Interval {
  let sum = rest;
  for (const [name, by] of factors) if (name !== without) sum = plus(sum, scaled(boundsOf(name), by));
  return sum;
}

export type Bounds = ReadonlyMap<string, Interval>;

/** The name of a number without values, which a condition bounds that is never true. */
export const NO_NUMBER = '';

/**
 * Bounds of the named numbers in every case in which a condition is true. What is not understood gives no bound, so that no
 * bound is too narrow.
 */
export function boundsFrom(condition: Expression, numbers: Numbers): Bounds {
  const inner = (operand: Expression) => boundsFrom(operand, numbers);
  switch (condition.op) {
    case 'and':
      return condition.args.map(inner).reduce(bothOf, NOTHING);
    case 'or': {
      // An alternative that cannot be true makes no room for values.
      const isPossible = (bounds: Bounds) =>
        ![...bounds].some(([name, one]) => isEmpty(both(one, numbers.boundsOf(name))));
      const all = condition.args.map(inner);
      const possible = all.filter(isPossible);
      return possible.length === 0 ? all.reduce(bothOf, NEVER) : possible.reduce(eitherOf);
    }
    case 'ite': {
      const { condition: test, whenTrue, whenFalse } = condition;
      const branches = [
        [test, whenTrue],
        [{ op: 'not', arg: test } as const, whenFalse],
      ];
      return inner({ op: 'or', args: branches.map((args) => ({ op: 'and', args })) });
    }
    case 'literal':
      return condition.value === false ? NEVER : NOTHING;
    case 'not':
      return fromNegation(condition.arg, numbers);
    case 'any':
      return condition.body === undefined ? NOTHING : boundsFrom(condition.body, numbers.inside(condition));
    case '=':
    case '<':
    case '<=':
      return fromComparison(condition, numbers);
    default:
      return NOTHING;
  }
}

const NOTHING: Bounds = new Map();
/** Bounds of what is never true. */
export const NEVER: Bounds = new Map([[NO_NUMBER, { min: 1n, max: 0n }]]);

function bothOf(one: Bounds, other: Bounds): Bounds {
  const merged = new Map(one);
  for (const [name, bounds] of other) merged.set(name, both(bounds, merged.get(name) ?? ANY));
  return merged;
}

export function eitherOf(one: Bounds, other: Bounds): Bounds {
  return new Map([...one].map(([name, bounds]) => [name, either(bounds, other.get(name) ?? ANY)]));
}

function fromNegation(condition: Expression, numbers: Numbers): Bounds {
  switch (condition.op) {
    case 'not':
      return boundsFrom(condition.arg, numbers);
    case 'and':
    case 'or': {
      const args = condition.args.map((arg): Expression => ({ op: 'not', arg }));
      return boundsFrom({ op: condition.op === 'and' ? 'or' : 'and', args }, numbers);
    }
    case '<':
    case '<=':
      return boundsFrom(
        { op: condition.op === '<' ? '<=' : '<', left: condition.right, right: condition.left },
        numbers,
      );
    default:
      return NOTHING;
  }
}

function fromComparison(
  { op, left, right }: { readonly op: '=' | '<' | '<='; readonly left: Expression; readonly right: Expression },
  numbers: Numbers,
): Bounds {
  const difference = add(linearOf(left, numbers), multiply(linearOf(right, numbers), -1n));
  return fromDifference(op, difference, numbers);
}

/** Bounds where the sum is 0, below it, or at most 0. */
export function fromDifference(op: '=' | '<' | '<=', difference: Linear, numbers: Numbers): Bounds {
  const { min: least, max: most } = boundsOfSum(difference, numbers);
  const isAbove = least !== undefined && (op === '<' ? least >= 0n : least > 0n);
  const isNever = isAbove || (op === '=' && most !== undefined && most < 0n);
  const bounds = new Map<string, Interval>(isNever ? NEVER : NOTHING);
  for (const [name, by] of difference.factors) {
    if (by === 0n) continue;
    // by × number ⋈ −others, and all of them are integers.
    const { min, max } = scaled(boundsOfSum(difference, numbers, name), -1n);
    const product = { min: op === '=' ? min : undefined, max: max === undefined || op !== '<' ? max : max - 1n };
    const { min: low, max: high } = by < 0n ? scaled(product, -1n) : product;
    const divisor = by < 0n ? -by : by;
    bounds.set(name, { min: low && ceilDivide(low, divisor), max: high && floorDivide(high, divisor) });
  }
  return bounds;
}
