import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by } from '../../../models/abstracted-plan.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay } from '../../../models/refund-run.ts';
import { SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';

const complete = (documents: readonly unknown[], over: object = REFUND_PLAN) => {
  const plan = readPlan(over, [textOf(SPEND_CAP)]);
  const { verdict, core } = judgeCompletion({ plan, actions: readActions(documents, plan) }, by);
  return [verdict, ...core];
};

test('a refund can be completed after a part of it, but not after too much', (t) => {
  t.deepEqual(complete([]), ['satisfied']);
  t.deepEqual(complete([look, pay('50.00', '30.00')]), ['satisfied']);
  const over = [look, pay('90.00', '-10.00')];
  const [verdict, ...core] = complete(over);
  t.is(verdict, 'violated');
  t.true(core.includes('/constraints/whole'), core.join());
  t.deepEqual(complete(over, { ...BOUNDED_PLAN, constraints: [] }), ['violated', '/actions/1/state/refundable']);
  const all = { id: 'all', expr: ['=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['dec', '90.00']] };
  t.not(complete([look], { ...BOUNDED_PLAN, constraints: [all] })[0], 'satisfied');
});

test('done actions and further ones are checked against the sheets of their step', (t) => {
  const under = (cap: string, ...done: readonly unknown[]) => {
    const sheet = useOf(SPEND_CAP, 'each:pay', { cap: ['dec', cap], spent: ['arg', 'amount'] });
    return complete([look, ...done], { ...REFUND_PLAN, sheets: [sheet] });
  };
  t.deepEqual(under('40.00'), ['satisfied']);
  t.not(under('39.99')[0], 'satisfied');
  t.deepEqual(under('40.00', pay('50.00', '30.00')), ['violated', '/actions/1/sheets/0/within']);
  t.deepEqual(under('500.01', pay('50.00', '30.00')), ['violated', '/actions/1/sheets/0/bind/cap']);
});

for (const [step, state] of [
  ['look', 'count'],
  ['pay', 'present'],
] as const) {
  test(`a step named "state" does not collide with a state variable named "${state}"`, (t) => {
    const text = JSON.stringify(BOUNDED_PLAN)
      .replaceAll(`"${step}"`, '"state"')
      .replaceAll('"refundable"', `"${state}"`);
    t.deepEqual(complete([], JSON.parse(text)), ['satisfied']);
  });
}
