import test from 'ava';
import { conditionsOf } from '../../../../workers/verdict/search/conditions.ts';
import {
  AS_WRITTEN,
  type Link,
  linksOf,
  orderedColumns,
  requiredLink,
  rowsFor,
} from '../../../../workers/verdict/search/links.ts';
import { conditionOf, outlookPlan, stepOf } from '../../../models/outlook-plan.ts';

const PAIRS =
  'pairs: { key: [a, b], columns: { a: string(64), b: int(0..3), c: int, d: "decimal(2)", e: bool }, rows: [{ a: X, b: 1, c: 5, d: 1.00, e: true }, { a: Y, b: 2, c: 7, d: 3.00, e: true }, { a: Z, b: 3, c: 5, d: 2.00, e: false }, { a: W, b: 0, c: 9, d: 2.50, e: false }] }';

const planWith = (where: string) =>
  outlookPlan({ given: 'seven: 7, three: 3', tables: PAIRS, pay: `times: 0..4, where: '${where}'` });
const linksUnder = (where: string) => {
  const plan = planWith(where);
  return linksOf(conditionsOf(stepOf(plan), plan), plan);
};
const requiredUnder = (where: string) => {
  const plan = planWith(where);
  return requiredLink(conditionOf(plan), plan);
};
const keysOf = ({ size, keyAt }: Link, order = AS_WRITTEN) => Array.from({ length: size }, (_, at) => keyAt(at, order));

test('rows of a table can be chosen if its key is arguments of the action', (t) => {
  const [link, ...others] = linksUnder('args.free == pairs[[args.invoice, args.n]].c');
  t.deepEqual(others, []);
  t.deepEqual(link?.args, ['invoice', 'n']);
  t.deepEqual(link && keysOf(link), [
    ['X', 1n],
    ['Y', 2n],
    ['Z', 3n],
    ['W', 0n],
  ]);
});

test('a table that several conditions look at with the same arguments is one choice', (t) => {
  t.is(linksUnder('pairs[[args.invoice, args.n]].c > 1 && pairs[[args.invoice, args.n]].e').length, 1);
  const two = linksUnder('pairs[[args.invoice, args.n]].c > 1 && pairs[[args.payee, args.n]].e');
  t.deepEqual(two.map(({ args }) => args.join()).toSorted(), ['invoice,n', 'payee,n']);
});

test('a key that is not arguments alone gives no choice', (t) => {
  t.deepEqual(linksUnder('pairs[[args.invoice, 1]].c > 1'), []);
  t.deepEqual(linksUnder('pairs[[args.invoice, seven]].c > 1'), []);
  t.deepEqual(linksUnder('args.n > 1'), []);
});

test('rows are in the order of a column, those with equal values as they are written', (t) => {
  const [link] = linksUnder('args.free == pairs[[args.invoice, args.n]].c');
  const names = (by: string, isDescending: boolean) =>
    link &&
    keysOf(link, { by, isDescending })
      .map(([name]) => name)
      .join('');
  t.is(names('c', false), 'XZYW');
  t.is(names('c', true), 'WYXZ');
  t.is(names('c', false), 'XZYW', 'again');
  t.is(names('d', false), 'XZWY');
  t.is(names('d', true), 'YWZX');
  t.is(names('e', true), 'XYZW', 'truth values have no order');
  t.is(names('none', true), 'XYZW', 'no such column');
});

test('alternatives list rows of the arguments that each of them gives', (t) => {
  const [link] = linksUnder(
    '(args.invoice == "A" && args.n == 1) || (2 == args.n && args.invoice == "B" && args.flag)',
  );
  t.deepEqual(link?.args, ['invoice', 'n']);
  t.deepEqual(link && keysOf(link), [
    ['A', 1n],
    ['B', 2n],
  ]);
  const [constants] = linksUnder('args.n == three || args.n == 1');
  t.deepEqual(constants && keysOf(constants), [[3n], [1n]]);
});

for (const where of [
  'args.n == 1 || args.m == 1',
  'args.n == 1 || args.n > 2',
  'args.n == 1 || args.n == args.m',
  'args.n == 1 && args.m == 2',
  'args.n == 1 || state.left == 3',
]) {
  test(`no rows are listed by ${where}`, (t) => {
    const plan = outlookPlan({ state: 'left: 3', pay: `times: 0..4, where: '${where}'` });
    t.deepEqual(linksOf(conditionsOf(stepOf(plan), plan), plan), []);
    t.is(requiredLink(conditionOf(plan), plan), undefined);
  });
}

test('a state is no constant that has its name', (t) => {
  const pay = `times: 0..4, where: 'args.n == 1 || args.n == state.two'`;
  const plan = outlookPlan({ given: 'two: 2', state: 'two: 3', pay });
  t.is(requiredLink(conditionOf(plan), plan), undefined);
});

test('only an argument that every alternative gives is listed', (t) => {
  const [link] = linksUnder('(args.n == 1 && args.m == 2) || args.n == 3');
  t.deepEqual(link?.args, ['n']);
  t.deepEqual(link && keysOf(link), [[1n], [3n]]);
});

test('a row is required by a list, by membership, and by an equality with a look-up', (t) => {
  t.deepEqual(requiredUnder('args.n == 1 || args.n == 3')?.args, ['n']);
  t.deepEqual(requiredUnder('[args.invoice, args.n] in pairs')?.args, ['invoice', 'n']);
  t.deepEqual(requiredUnder('args.free == pairs[[args.invoice, args.n]].c')?.args, ['invoice', 'n']);
  t.deepEqual(requiredUnder('pairs[[args.invoice, args.n]].c == args.free')?.args, ['invoice', 'n']);
  t.deepEqual(requiredUnder('pairs[[args.invoice, args.n]].e')?.args, ['invoice', 'n']);
});

test('no row is required where the condition can hold without it', (t) => {
  t.is(requiredUnder('!([args.invoice, args.n] in pairs)'), undefined);
  t.is(requiredUnder('args.flag || [args.invoice, args.n] in pairs'), undefined);
  t.is(requiredUnder('args.free == (args.flag ? pairs[[args.invoice, args.n]].c : 3)'), undefined);
});

test('rows can be ordered by the numbers of the tables that conditions look at, each named once', (t) => {
  t.deepEqual(
    orderedColumns(planWith('args.free == pairs[[args.invoice, args.n]].c && pairs[[args.invoice, args.n]].e')),
    ['b', 'c', 'd'],
  );
  t.deepEqual(orderedColumns(planWith('args.n > 1')), []);
});

test('as many rows can be chosen as the largest choice has', (t) => {
  const rows = (where: string) => {
    const plan = planWith(where);
    return rowsFor(stepOf(plan), plan);
  };
  t.is(rows('args.n > 1'), 0);
  t.is(rows('args.n == 1 || args.n == 3'), 2);
  t.is(rows('(args.n == 1 || args.n == 3) && [args.invoice, args.n] in pairs'), 4);
});
