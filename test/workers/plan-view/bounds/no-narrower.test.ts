import test from 'ava';
import { isAtMost } from '../../../../workers/plan-view/bounds/amount.ts';
import { boundsFrom, type Site } from '../../../../workers/plan-view/bounds/linear.ts';
import { isPart } from '../../../../workers/plan-view/parts/expression.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';

type Tree = unknown;

const [N, X] = [
  ['arg', 'n'],
  ['arg', 'x'],
];
const decimal = (value: number) => ({ numerator: BigInt(value), scale: 0 });
/** The other number is from −3 to 4. */
const OTHERS = Array.from({ length: 8 }, (_, index) => index - 3);
const VALUES = Array.from({ length: 41 }, (_, index) => index - 20);

const SITE: Site = {
  isTarget: (expr) => isPart(expr, ['arg', 'n']),
  scale: 0,
  leaf: (expr) =>
    isPart(expr, ['arg', 'x'])
      ? { least: decimal(-3), greatest: decimal(4) }
      : { least: undefined, greatest: undefined },
  under: () => SITE,
};

const numbers = fc.letrec((tie) => ({
  number: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Tree>(N),
    fc.constant<Tree>(X),
    fc.integer({ min: -5, max: 5 }),
    fc.tuple(fc.constantFrom('+', '-', 'min', 'max'), tie('number'), tie('number')),
    fc.tuple(fc.constant('-'), tie('number')),
    fc.tuple(fc.constant('*'), fc.integer({ min: -3, max: 3 }), tie('number')),
    fc.tuple(fc.constant('*'), tie('number'), fc.integer({ min: -3, max: 3 })),
    fc.tuple(fc.constant('ite'), tie('condition'), tie('number'), tie('number')),
  ),
  condition: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '!='), tie('number'), tie('number')),
    fc.tuple(fc.constantFrom('and', 'or', 'implies', 'iff'), tie('condition'), tie('condition')),
    fc.tuple(fc.constant('not'), tie('condition')),
    fc.tuple(fc.constant('ite'), tie('condition'), tie('condition'), tie('condition')),
  ),
}));

const OPERATORS: Readonly<Record<string, (...values: number[]) => number>> = {
  '+': (one, other = 0) => one + other,
  '-': (one, other) => (other === undefined ? -one : one - other),
  '*': (one, other = 0) => one * other,
  min: Math.min,
  max: Math.max,
  '<': (one, other = 0) => Number(one < other),
  '<=': (one, other = 0) => Number(one <= other),
  '>': (one, other = 0) => Number(one > other),
  '>=': (one, other = 0) => Number(one >= other),
  '=': (one, other = 0) => Number(one === other),
  '!=': (one, other = 0) => Number(one !== other),
  and: Math.min,
  or: Math.max,
  implies: (one, other = 0) => Number(one <= other),
  iff: (one, other = 0) => Number(one === other),
  not: (one) => 1 - one,
  ite: (condition, yes = 0, no = 0) => (condition === 1 ? yes : no),
};

/** The value of an expression, a truth value as 0 or 1. */
function evaluate(tree: Tree, n: number, x: number): number {
  if (typeof tree === 'number') return tree;
  const [head, ...operands]: readonly unknown[] = Array.isArray(tree) ? tree : [];
  if (head === 'arg') return operands[0] === 'n' ? n : x;
  const operator = OPERATORS[String(head)];
  if (operator === undefined) throw new Error(String(head));
  // Without −0.
  return operator(...operands.map((operand) => evaluate(operand, n, x))) + 0;
}

test('no bound leaves out a value that a condition allows', (t) => {
  fc.assert(
    fc.property(numbers.condition, (condition) => {
      const { least, greatest } = boundsFrom(condition, SITE);
      for (const n of VALUES) {
        if (!OTHERS.some((x) => evaluate(condition, n, x) === 1)) continue;
        const isWithin =
          (least === undefined || isAtMost(least, decimal(n))) &&
          (greatest === undefined || isAtMost(decimal(n), greatest));
        t.true(isWithin, `${n}: ${JSON.stringify(condition)}`);
      }
    }),
    { numRuns: runs(1_000) },
  );
});
