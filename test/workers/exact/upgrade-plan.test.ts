import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { readPlanShape } from '../../../workers/exact/upgrade-plan.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';

const read = (over: object = {}) => readPlanShape({ ...REFUND_PLAN, ...over });
const upgraded = (over: object = {}) => defined(read(over).plan);

test('a plan of format 1 is read as one of format 2 with one approver and without tables', (t) => {
  t.like(upgraded(), { plan_format: 2, approvals: 1, tables: {}, title: REFUND_PLAN.title });
  t.deepEqual(upgraded().tools, REFUND_PLAN.tools as unknown);
});

test('a step waits for as many actions of another one as that step must have, and for one at least', (t) => {
  const [look, pay] = REFUND_PLAN.steps;
  const after = (min: number) =>
    upgraded({
      steps: [
        { ...look, min, max: 3 },
        { ...pay, after: ['look', 'look'] },
      ],
    }).steps[1]?.after;
  t.deepEqual(after(0), [{ step: 'look', at_least: 1 }]);
  t.deepEqual(after(3), [{ step: 'look', at_least: 3 }]);
});

for (const [written, model] of [
  [
    ['count', 'pay'],
    ['count', 'pay'],
  ],
  [
    ['count', 'pay', ['=', ['arg', 'a'], 1]],
    ['count', 'pay', 'action', ['=', ['arg', 'action', 'a'], 1]],
  ],
  [
    ['<=', ['sum', 'pay', ['+', ['arg', 'a'], ['resp', 'b']]], ['var', 'cap']],
    ['<=', ['sum', 'pay', 'action', ['+', ['arg', 'action', 'a'], ['resp', 'action', 'b']]], ['var', 'cap']],
  ],
  [
    ['forall', 'pay', ['bool', true]],
    ['forall', 'pay', 'action', ['bool', true]],
  ],
] as const) {
  test(`the rule ${JSON.stringify(written)} names its action`, (t) => {
    const [rule] = upgraded({ constraints: [{ id: 'rule', expr: written }] }).constraints;
    t.deepEqual(rule?.expr, model as unknown);
  });
}

test('a plan of another format, or without the shape of its own, is a fault with its place', (t) => {
  t.deepEqual(read({ plan_format: 3 }).fault, { path: '/plan_format', message: 'is neither 1 nor 2' });
  t.is(read({ title: '' }).fault?.path, '/title');
  t.is(read({ plan_format: 2 }).fault?.path, '/approvals');
  t.is(readPlanShape(null).fault?.path, '/plan_format');
});
