import type { Decimal } from '../../exact/numbers.ts';
import { type Expr, operandsOf } from '../parts/expression.ts';
import { add, divide, type Limit, least, negate, ONE, toAmount, ZERO } from './amount.ts';
import { ANY, both, either, greatestOf, type Interval, opposite, plus, point, scaled } from './interval.ts';

/** The number that is asked about, and bounds of what else an expression refers to. */
export interface Site {
  readonly isTarget: (expr: Expr) => boolean;
  /** Decimals of the target. */
  readonly scale: number;
  /** Bounds of a reference, a look-up or an aggregate. */
  readonly leaf: (expr: Expr) => Interval;
  /** The target as it is in an aggregate: its coefficient and what is added. */
  readonly inside?: (expr: Expr) => Linear | undefined;
  /** The site of the body of an `exists`. */
  readonly under: (binder: unknown, range: Expr) => Site;
}

/** `coefficient` × target + a number between the bounds `rest` */
export interface Linear {
  readonly coefficient: Decimal;
  readonly rest: Interval;
}

const NEGATED: ReadonlyMap<string, string> = new Map([
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
]);

/**
 * Bounds of the target in every case in which a condition holds. What is not understood gives no bound, so that no bound is
 * too narrow.
 */
export function boundsFrom(condition: Expr, site: Site): Interval {
  const [operator, ...operands]: readonly unknown[] = Array.isArray(condition) ? condition : [];
  const parts = () => operands.map((operand) => boundsFrom(operand, site));
  switch (operator) {
    case 'and':
      return parts().reduce(both, ANY);
    case 'or':
      return parts().reduce(either);
    case 'ite':
      return parts().slice(1).reduce(either);
    case 'implies':
      return either(boundsFrom(['not', operands[0]], site), boundsFrom(operands[1], site));
    case 'not':
      return boundsFromNegation(operands[0], site);
    case 'exists':
      return boundsFrom(operands[2], site.under(operands[1], operands[0]));
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '=':
      return boundsFromComparison(operator, operands, site);
    default:
      return ANY;
  }
}

function boundsFromNegation(condition: Expr, site: Site): Interval {
  const [operator, ...operands]: readonly unknown[] = Array.isArray(condition) ? condition : [];
  const negated = operands.map((operand) => ['not', operand]);
  const flipped = NEGATED.get(String(operator));
  if (flipped !== undefined) return boundsFrom([flipped, ...operands], site);
  if (operator === 'not') return boundsFrom(operands[0], site);
  if (operator === 'and') return boundsFrom(['or', ...negated], site);
  return operator === 'or' ? boundsFrom(['and', ...negated], site) : ANY;
}

function boundsFromComparison(operator: string, [left, right]: readonly Expr[], site: Site): Interval {
  const { coefficient, rest } = sum([linearOf(left, site), times(linearOf(right, site), negate(ONE))]);
  if (coefficient.numerator === 0n) return ANY;
  // coefficient × target ⋈ −rest
  const against = opposite(rest);
  const isBelow = operator !== '>' && operator !== '>=';
  const isAbove = operator !== '<' && operator !== '<=';
  const bounds = { least: isAbove ? against.least : undefined, greatest: isBelow ? against.greatest : undefined };
  const isNegative = coefficient.numerator < 0n;
  const { least, greatest } = isNegative ? opposite(bounds) : bounds;
  const by = isNegative ? negate(coefficient) : coefficient;
  return {
    least: least && divide(least, by, site.scale, 'up'),
    greatest: greatest && divide(greatest, by, site.scale, 'down'),
  };
}

/** An expression of a number in terms of the target. */
export function linearOf(expr: Expr, site: Site): Linear {
  if (site.isTarget(expr)) return { coefficient: ONE, rest: point(ZERO) };
  const inside = site.inside?.(expr);
  if (inside !== undefined) return inside;
  const terms = operandsOf(expr, '+')?.map((term) => linearOf(term, site));
  if (terms !== undefined) return sum(terms);
  const difference = operandsOf(expr, '-')?.map((term) => linearOf(term, site));
  if (difference !== undefined) {
    return sum(
      difference.map((term, index) => (index === 0 && difference.length > 1 ? term : times(term, negate(ONE)))),
    );
  }
  const [left, right] = operandsOf(expr, '*') ?? [];
  const [first, second] = [literalOf(left), literalOf(right)];
  if (first !== undefined) return times(linearOf(right, site), first);
  if (second !== undefined) return times(linearOf(left, site), second);
  return { coefficient: ZERO, rest: intervalOf(expr, site) };
}

const sum = (terms: readonly Linear[]): Linear =>
  terms.reduce((all, term) => ({
    coefficient: add(all.coefficient, term.coefficient),
    rest: plus(all.rest, term.rest),
  }));

const times = ({ coefficient, rest }: Linear, by: Decimal): Linear => ({
  coefficient: { numerator: coefficient.numerator * by.numerator, scale: coefficient.scale + by.scale },
  rest: scaled(rest, by),
});

/** The value of a number that is written in the expression. */
export function literalOf(expr: Expr): Limit {
  return toAmount(typeof expr === 'number' ? expr : operandsOf(expr, 'dec', 'int')?.[0]);
}

/** Bounds of an expression of a number. */
export function intervalOf(expr: Expr, site: Site): Interval {
  const literal = literalOf(expr);
  if (literal !== undefined) return point(literal);
  const [operator, ...operands]: readonly unknown[] = Array.isArray(expr) ? expr : [];
  const parts = () => operands.map((operand) => intervalOf(operand, site));
  switch (operator) {
    case '+':
      return parts().reduce(plus);
    case '-':
      return operands.length === 1
        ? opposite(intervalOf(operands[0], site))
        : parts().reduce((all, part) => plus(all, opposite(part)));
    case '*': {
      const [left, right] = [literalOf(operands[0]), literalOf(operands[1])];
      if (left !== undefined) return scaled(intervalOf(operands[1], site), left);
      return right === undefined ? ANY : scaled(intervalOf(operands[0], site), right);
    }
    case 'min':
      return parts().reduce((one, other) => ({
        least: one.least && other.least && least([one.least, other.least]),
        greatest: least([one.greatest, other.greatest]),
      }));
    case 'max':
      return parts().reduce((one, other) => ({
        least: greatestOf([one.least, other.least]),
        greatest: one.greatest && other.greatest && greatestOf([one.greatest, other.greatest]),
      }));
    case 'ite':
      return either(intervalOf(operands[1], site), intervalOf(operands[2], site));
    default:
      return site.leaf(expr);
  }
}
