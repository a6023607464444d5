import test from 'ava';
import { listedRows } from '../../../../workers/verdict/search/listed-rows.ts';
import { openAction, outlookPlan, stepOf } from '../../../models/outlook-plan.ts';

type Parts = Parameters<typeof outlookPlan>[0];

function rowsOf(parts: Parts) {
  const plan = outlookPlan({ given: 'limit: 20', state: 'left: 9', ...parts });
  const step = stepOf(plan);
  return listedRows(step, plan, openAction(plan, step).situation)?.map((row) => Object.fromEntries(row));
}
const under = (where: string) => rowsOf({ pay: `times: 0..4, where: '${where}'` });

test('every action has one of the rows that a table or a list requires', (t) => {
  t.deepEqual(under('args.invoice in approved'), [{ invoice: 'A' }, { invoice: 'B' }, { invoice: 'C' }]);
  t.deepEqual(under('args.n == 1 || args.n == 3'), [{ n: 1n }, { n: 3n }]);
  t.deepEqual(rowsOf({ rules: ['pay.all(p, p.invoice in approved)'] }), [
    { invoice: 'A' },
    { invoice: 'B' },
    { invoice: 'C' },
  ]);
});

test('a row has the arguments that follow from it', (t) => {
  t.deepEqual(under('args.free == approved[args.invoice].amount && args.payee == approved[args.invoice].payee'), [
    { invoice: 'A', free: 30n, payee: 'P' },
    { invoice: 'B', free: -5n, payee: 'Q' },
    { invoice: 'C', free: 12n, payee: 'P' },
  ]);
});

test('rows that conditions rule out are left out, also by their types', (t) => {
  t.deepEqual(under('args.free == approved[args.invoice].amount && args.free <= limit'), [
    { invoice: 'B', free: -5n },
    { invoice: 'C', free: 12n },
  ]);
  t.deepEqual(under('args.n == 1 || args.n == 2 || args.n == 9'), [{ n: 1n }, { n: 2n }]);
  t.deepEqual(under('args.n == approved[args.invoice].amount'), []);
});

test('a row stays if the state decides', (t) => {
  t.deepEqual(under('args.free == approved[args.invoice].amount && args.free <= state.left')?.length, 3);
});

test('the shortest choice is taken', (t) => {
  t.deepEqual(under('args.invoice in approved && (args.n == 1 || args.n == 2)'), [{ n: 1n }, { n: 2n }]);
  t.deepEqual(under('(args.n == 1 || args.n == 2) && args.invoice in approved'), [{ n: 1n }, { n: 2n }]);
});

test('without a condition that requires a row there is none', (t) => {
  t.is(under('args.n > 1'), undefined);
  t.is(under('args.flag || args.invoice in approved'), undefined);
});

for (const size of [256, 257]) {
  test(`${size} rows are ${size > 256 ? 'too many' : 'counted one by one'}`, (t) => {
    const plan = outlookPlan({ pay: `times: 0..4, where: 'args.invoice in approved'` });
    const table = plan.tables.get('approved');
    if (table === undefined) throw new Error('no table');
    const rows = Array.from({ length: size }, (_, index) => [`${index}`, 1n, 'P'].slice(0, table.positions.size));
    const large = { ...plan, tables: new Map([['approved', { ...table, rows, rowAt: () => rows[0] }]]) };
    const listed = listedRows(stepOf(large), large, openAction(large, stepOf(large)).situation);
    t.is(listed?.length, size > 256 ? undefined : size);
  });
}
