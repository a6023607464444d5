import test from 'ava';
import { evaluate } from '../../../../workers/solver/language/evaluate.ts';
import { type Expression, literal, type Term, variable } from '../../../../workers/solver/language/terms.ts';
import { linearOf, sumOf } from '../../../../workers/solver/outlook/linear.ts';
import { fc } from '../../../kit/fast-check.ts';
import { outlookPlan, ruleOf } from '../../../models/outlook-plan.ts';

const plan = outlookPlan({
  given: 'seven: 7, on: true',
  rules: ['sum(pay, p, p.n * 2 - p.response.fee + seven) <= 9'],
});
const arg = (name: string): Expression => ({ op: 'reference', scope: 'arg', name });
const resp = (name: string): Expression => ({ op: 'reference', scope: 'resp', name });
const seven: Expression = { op: 'reference', scope: 'var', name: 'seven' };

const linear = fc.letrec<{ sum: Expression }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(arg('n'), arg('m'), resp('fee'), seven),
    fc.integer({ min: -9, max: 9 }).map((value): Expression => literal(BigInt(value))),
    fc.record({
      op: fc.constant('*' as const),
      arg: tie('sum'),
      by: fc.integer({ min: -3, max: 3 }).map((by) => BigInt(by)),
    }),
    fc.array(tie('sum'), { maxLength: 3 }).map((args): Expression => ({ op: '+', args })),
  ),
})).sum;

/** The expression with variables in place of names. */
function termOf(expression: Expression): Term {
  switch (expression.op) {
    case 'literal':
      return expression;
    case 'reference':
      return expression.scope === 'var' ? literal(7n) : variable(`${expression.scope} ${expression.name}`);
    case '*':
      return { ...expression, arg: termOf(expression.arg) };
    case '+':
      return { op: '+', args: expression.args.map(termOf) };
    default:
      throw new TypeError(expression.op);
  }
}

test('a linear form has the value of its expression', (t) => {
  const small = fc.integer({ min: -5, max: 5 }).map((value) => BigInt(value));
  fc.assert(
    fc.property(linear, small, small, small, (expression, n, m, fee) => {
      const values = new Map([
        ['arg n', n],
        ['arg m', m],
        ['resp fee', fee],
      ]);
      const form = linearOf(expression, plan);
      if (form === undefined) return false;
      const sum = [...form.factors].reduce((so, [name, by]) => so + by * (values.get(name) ?? 0n), form.constant);
      return sum === evaluate(termOf(expression), values);
    }),
  );
  t.pass();
});

test('parts of a bound action are numbers of the action', (t) => {
  const rule = ruleOf(plan);
  if (rule.op !== '<=' || rule.left.op !== 'total' || rule.left.body === undefined) throw new Error(rule.op);
  const form = linearOf(rule.left.body, plan, rule.left.binder);
  t.is(form?.constant, 7n);
  t.deepEqual(Object.fromEntries(form?.factors ?? []), { 'arg n': 2n, 'resp fee': -1n });
});

test('a part of another action is no number of this one', (t) => {
  const part = { op: 'part', binder: 'p', part: 'arg', name: 'n', type: { type: 'int', min: 0n, max: 3n } } as const;
  t.deepEqual(Object.fromEntries(linearOf(part, plan, 'p')?.factors ?? []), { 'arg n': 1n });
  t.is(linearOf(part, plan, 'q'), undefined);
  t.is(linearOf(part, plan), undefined);
  t.is(linearOf({ op: '*', arg: { op: '+', args: [part] }, by: 2n }, plan, 'q'), undefined);
});

for (const [what, expression] of [
  ['a text', literal('text')],
  ['a truth value', literal(true)],
  ['a constant that is no number', { op: 'reference', scope: 'var', name: 'on' }],
  ['a constant that does not exist', { op: 'reference', scope: 'var', name: 'other' }],
  ['a state', { op: 'reference', scope: 'state', name: 'seven' }],
  ['when an action started', { op: 'part', binder: 'p', part: 'started', name: '', type: { type: 'bool' } }],
  ['a column', { op: 'part', binder: 'p', part: 'col', name: 'amount', type: { type: 'bool' } }],
  ['a quotient', { op: 'div', arg: arg('n'), by: 2n }],
  ['the smaller one of two', { op: 'min', left: arg('n'), right: arg('m') }],
  ['a multiple of a quotient', { op: '*', arg: { op: 'div', arg: arg('n'), by: 2n }, by: 3n }],
  ['a sum with a quotient', { op: '+', args: [arg('n'), { op: 'div', arg: arg('n'), by: 2n }] }],
] as const satisfies readonly (readonly [string, Expression])[]) {
  test(`${what} is not a sum of numbers of the action`, (t) => {
    t.is(linearOf(expression, plan, 'p'), undefined);
  });
}

test('a sum of no terms is zero, and one of a single term is this term', (t) => {
  const [x, y] = [variable('x'), variable('y')];
  t.deepEqual(sumOf([]), literal(0n));
  t.is(sumOf([x]), x);
  t.deepEqual(sumOf([x, y]), { op: '+', args: [x, y] });
});
