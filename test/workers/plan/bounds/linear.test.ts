import test from 'ava';
import { ANY, type Interval } from '../../../../workers/plan/bounds/interval.ts';
import { bounded, boundsFrom, intervalOf, type Numbers, named } from '../../../../workers/plan/bounds/linear.ts';
import { type Expression, literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { mapOperands } from '../../../../workers/plan/language/walk.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';

/** `n` has a name, and nothing is known of it; `m` has a name and bounds; `x` has bounds. */
const RANGES = { n: { min: -20n, max: 20n }, m: { min: -2n, max: 2n }, x: { min: -3n, max: 4n } };
const NUMBERS: Numbers = {
  linearOf: (leaf) => {
    const name = leaf.op === 'reference' ? leaf.name : '';
    return name === 'x' ? bounded(RANGES.x) : name === 'n' || name === 'm' ? named(name) : bounded(ANY);
  },
  boundsOf: (name) => (name === 'm' ? RANGES.m : ANY),
  inside: () => NUMBERS,
};

const small = fc.integer({ min: -4, max: 4 }).map(BigInt);
const names = fc.constantFrom('n', 'm', 'x');
const drawn = fc.letrec<{ number: Expression; truth: Expression }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3 },
    names.map((name): Expression => ({ op: 'reference', scope: 'arg', name })),
    small.map(literal),
    fc.record({ op: fc.constant('*' as const), arg: tie('number'), by: small }),
    fc.record({ op: fc.constant('div' as const), arg: tie('number'), by: small.filter((by) => by !== 0n) }),
    fc.record({
      op: fc.constantFrom('min' as const, 'max' as const, 'times' as const),
      left: tie('number'),
      right: tie('number'),
    }),
    fc.array(tie('number'), { maxLength: 3 }).map((args): Expression => ({ op: '+', args })),
    fc.record({
      op: fc.constant('ite' as const),
      condition: tie('truth'),
      whenTrue: tie('number'),
      whenFalse: tie('number'),
    }),
  ),
  truth: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      op: fc.constantFrom('=' as const, '<' as const, '<=' as const),
      left: tie('number'),
      right: tie('number'),
    }),
    fc.record({ op: fc.constantFrom('and' as const, 'or' as const), args: fc.array(tie('truth'), { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not' as const), arg: tie('truth') }),
    fc.record({
      op: fc.constant('ite' as const),
      condition: tie('truth'),
      whenTrue: tie('truth'),
      whenFalse: tie('truth'),
    }),
  ),
}));

function termOf(expression: Expression): Term {
  if (expression.op === 'literal') return expression;
  if (expression.op === 'reference') return variable(expression.name);
  return mapOperands(
    expression as Exclude<typeof expression, { op: 'part' | 'look' }> & Parameters<typeof mapOperands>[0],
    (operand) => termOf(operand as Expression),
  ) as Term;
}

const between = ({ min, max }: { readonly min: bigint; readonly max: bigint }) =>
  Array.from({ length: Number(max - min) + 1 }, (_, index) => min + BigInt(index));
const WORLDS = between(RANGES.m).flatMap((m) =>
  between(RANGES.x).flatMap((x) =>
    [-20n, -7n, -1n, 0n, 1n, 2n, 5n, 20n].map(
      (n) =>
        new Map([
          ['n', n],
          ['m', m],
          ['x', x],
        ]),
    ),
  ),
);
const isIn = (value: unknown, { min, max }: Interval): boolean =>
  typeof value === 'bigint' && (min === undefined || min <= value) && (max === undefined || value <= max);

test('the interval of a number has every value that it can have', (t) => {
  fc.assert(
    fc.property(drawn.number, (expression) => {
      const [interval, term] = [intervalOf(expression, NUMBERS), termOf(expression)];
      return WORLDS.every((world) => isIn(evaluate(term, world), interval));
    }),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('no bound leaves out a value that a condition allows', (t) => {
  let narrower = 0;
  fc.assert(
    fc.property(drawn.truth, (condition) => {
      const [bounds, term] = [boundsFrom(condition, NUMBERS), termOf(condition)];
      if ([...bounds.values()].some(({ min, max }) => min !== undefined || max !== undefined)) narrower += 1;
      return WORLDS.every(
        (world) => evaluate(term, world) !== true || [...bounds].every(([name, range]) => isIn(world.get(name), range)),
      );
    }),
    { numRuns: runs(1_000) },
  );
  t.true(narrower > runs(1_000) / 10);
});
