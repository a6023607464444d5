import test from 'ava';
import { SPEND_CAP, useOf } from '../../../../models/sheets.ts';
import { compileUse, PLAN_USE } from '../faults/sheet-cases.ts';

test('a sheet is bound to a whole run, or to each action of a step', (t) => {
  t.deepEqual(compileUse(`{ ${PLAN_USE} }`).plan?.sheets, [
    useOf(SPEND_CAP, 'plan', { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] }),
  ]);
  const each = compileUse(
    '{ sheet: spend-cap@1.0.0, for: each  pay, bind: { cap: response.left, spent: args.amount } }',
  );
  t.deepEqual(each.plan?.sheets, [useOf(SPEND_CAP, 'each:pay', { cap: ['resp', 'left'], spent: ['arg', 'amount'] })]);
});
