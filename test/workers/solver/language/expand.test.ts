import test from 'ava';
import { evaluate } from '../../../../workers/solver/language/evaluate.ts';
import { createNodeBudget, type Environment, expand, type Slot } from '../../../../workers/solver/language/expand.ts';
import { parseExpression } from '../../../../workers/solver/language/parse-expression.ts';
import { literal, type Term, variable } from '../../../../workers/solver/language/terms.ts';
import { parseType, parseTypes } from '../../../../workers/solver/language/types.ts';
import { thrownBy } from '../thrown.ts';

const SCOPE = {
  names: { var: parseTypes({ cap: { type: 'decimal', scale: 2 } }, '') },
  steps: new Map([
    ['pay', { arg: parseTypes({ amount: { type: 'decimal', scale: 2 } }, '') }],
    ['look', {}],
  ]),
};
const pay = (amount: bigint, present: Term = literal(true)): Slot => ({
  step: 'pay',
  present,
  names: { arg: new Map([['amount', literal(amount)]]) },
});
const over = (...slots: readonly Slot[]): Environment => ({
  names: { var: new Map([['cap', literal(10_000n)]]) },
  slots: [{ step: 'look', present: literal(true), names: {} }, ...slots],
});
const read = (json: unknown, type: unknown = { type: 'bool' }) =>
  parseExpression(json, { type: parseType(type, ''), scope: SCOPE });
const AMOUNT = ['arg', 'amount'];
const MONEY = { type: 'decimal', scale: 2 };
const resultOf = (json: unknown, type: unknown, environment: Environment, known = new Map<string, boolean>()) =>
  evaluate(expand(read(json, type), environment), known);

test('aggregates only range over the actions of their step', (t) => {
  const run = over(pay(5000n), pay(3000n));
  t.is(resultOf(['sum', 'pay', AMOUNT], MONEY, run), 8000n);
  t.is(resultOf(['count', 'pay'], { type: 'int' }, run), 2n);
  t.is(resultOf(['count', 'pay', ['>', AMOUNT, ['dec', '40.00']]], { type: 'int' }, run), 1n);
  t.is(resultOf(['forall', 'pay', ['>', AMOUNT, ['dec', '40.00']]], { type: 'bool' }, run), false);
  t.is(resultOf(['exists', 'pay', ['>', AMOUNT, ['dec', '40.00']]], { type: 'bool' }, run), true);
});

test('over no actions, a sum and a count are 0, forall is true and exists is false', (t) => {
  t.is(resultOf(['sum', 'pay', AMOUNT], MONEY, over()), 0n);
  t.is(resultOf(['count', 'pay'], { type: 'int' }, over()), 0n);
  t.is(resultOf(['forall', 'pay', ['bool', false]], { type: 'bool' }, over()), true);
  t.is(resultOf(['exists', 'pay', ['bool', true]], { type: 'bool' }, over()), false);
});

test('an absent action does not count, even if nothing is known about it', (t) => {
  const open: Slot = { step: 'pay', present: variable('p'), names: { arg: new Map([['amount', variable('a')]]) } };
  const absent = new Map([['p', false]]);
  t.is(resultOf(['sum', 'pay', AMOUNT], MONEY, over(pay(100n), open), absent), 100n);
  t.is(resultOf(['count', 'pay'], { type: 'int' }, over(pay(100n), open), absent), 1n);
  t.is(resultOf(['forall', 'pay', ['=', AMOUNT, 1]], { type: 'bool' }, over(pay(100n), open), absent), true);
  t.is(resultOf(['sum', 'pay', AMOUNT], MONEY, over(open)), undefined);
});

test('an aggregate can use the names of the plan and those of the action', (t) => {
  t.is(resultOf(['forall', 'pay', ['<=', AMOUNT, ['var', 'cap']]], { type: 'bool' }, over(pay(10_000n))), true);
  t.is(resultOf(['forall', 'pay', ['<=', AMOUNT, ['var', 'cap']]], { type: 'bool' }, over(pay(10_001n))), false);
});

test('a name may stand for a whole term', (t) => {
  const cap: Term = { op: 'min', left: literal(700n), right: variable('x') };
  const environment = { names: { var: new Map([['cap', cap]]) }, slots: [pay(500n)] };
  const term = expand(read(['<=', ['sum', 'pay', AMOUNT], ['var', 'cap']]), environment);
  t.is(evaluate(term, new Map([['x', 600n]])), true);
  t.is(evaluate(term, new Map([['x', 400n]])), false);
});

test('a plan expands to 20,000 nodes, and no more', (t) => {
  const body = ['<', ['+', ...Array.from({ length: 90 }, () => AMOUNT)], 1];
  const run = (actions: number) => over(...Array.from({ length: actions }, () => pay(1n)));
  const rule = read(['forall', 'pay', body]);
  t.is(
    thrownBy(() => expand(rule, run(150))),
    undefined,
  );
  t.deepEqual(
    thrownBy(() => expand(rule, run(256))),
    ['TOO_MANY_NODES', ''],
  );
  const shared = createNodeBudget();
  expand(rule, run(150), shared);
  t.deepEqual(
    thrownBy(() => expand(rule, run(150), shared)),
    ['TOO_MANY_NODES', ''],
  );
});

test('terms that replace names are counted with all their nodes', (t) => {
  let doubled: Term = variable('x');
  for (let level = 0; level < 60; level += 1) doubled = { op: '+', args: [doubled, doubled] };
  const rule = read(['=', ['var', 'cap'], 1]);
  t.deepEqual(
    thrownBy(() => expand(rule, { names: { var: new Map([['cap', doubled]]) } })),
    ['TOO_MANY_NODES', ''],
  );
  let deep: Term = variable('x');
  for (let level = 0; level < 300; level += 1) deep = { op: '*', arg: deep, by: 1n };
  t.deepEqual(
    thrownBy(() => expand(rule, { names: { var: new Map([['cap', deep]]) } })),
    ['TOO_DEEP', ''],
  );
});

test('a name without a term is an error of the caller', (t) => {
  t.throws(() => expand(read(['=', ['var', 'cap'], 1]), { names: {} }), { instanceOf: TypeError });
});
