import test from 'ava';
import type { Expression } from '../../../../workers/plan/language/terms.ts';
import { conditionsOf, followsFrom } from '../../../../workers/verdict/search/conditions.ts';
import { conditionOf, outlookPlan, stepOf } from '../../../models/outlook-plan.ts';

const LOOK = 'look: { tool: look@1, times: 0..2 }';

/** Without how comparisons were written. */
const plain = (expressions: readonly Expression[]): readonly unknown[] =>
  JSON.parse(
    JSON.stringify(expressions, (key, value) =>
      key === 'written' ? undefined : typeof value === 'bigint' ? `${value}` : value,
    ),
  );

/** The conditions that rules give the actions of `pay`. */
const fromRules = (...rules: readonly string[]): readonly unknown[] => {
  const plan = outlookPlan({ given: 'seven: 7', steps: LOOK, rules });
  return plain(conditionsOf(stepOf(plan), plan));
};
/** Conditions as the step would have them. */
const asOwn = (where: string): readonly unknown[] => {
  const plan = outlookPlan({ given: 'seven: 7', steps: LOOK, pay: `times: 0..4, where: '${where}'` });
  return plain(conditionsOf(stepOf(plan), plan));
};

test('a condition that joins several is each of them', (t) => {
  const plan = outlookPlan({ rules: ['count(pay) < 3'] });
  const [a, b, c, d] = ['n', 'm', 'flag', 'kind'].map((name): Expression => ({ op: 'reference', scope: 'arg', name }));
  if (!(a && b && c && d)) throw new Error('no names');
  const where = [{ id: 'joined', expression: { op: 'and', args: [a, { op: 'and', args: [b, c] }] } as const }];
  const own = conditionsOf({ ...stepOf(plan), where: [...where, { id: 'other', expression: d }] }, plan);
  t.deepEqual(own, [a, b, c, d]);
});

for (const [rule, where] of [
  ['pay.all(p, p.n > 1)', 'args.n > 1'],
  ['pay.all(p, p.n > 1 && p.flag)', 'args.n > 1 && args.flag'],
  ['pay.all(p, p.n > 1) && pay.all(q, q.flag)', 'args.n > 1 && args.flag'],
  ['pay.all(p, p.n * 2 > seven)', 'args.n * 2 > seven'],
  ['pay.all(p, p.free == approved[p.invoice].amount)', 'args.free == approved[args.invoice].amount'],
  ['pay.all(p, p.invoice in approved)', 'args.invoice in approved'],
] as const) {
  test(`${rule} is a condition of each action`, (t) => {
    t.deepEqual(fromRules(rule), asOwn(where));
  });
}

test('fields of the response and times of a bound action are those of the action itself', (t) => {
  t.deepEqual(fromRules('pay.all(p, p.response.fee > 3)'), [
    { op: '<', left: { op: 'literal', value: '3' }, right: { op: 'reference', scope: 'resp', name: 'fee' } },
  ]);
  t.deepEqual(fromRules('pay.all(p, p.started_at < p.ended_at)'), [
    { op: '<', left: { op: 'own', time: 'started' }, right: { op: 'own', time: 'ended' } },
  ]);
});

for (const rule of [
  'look.all(l, l.n > 1)',
  'pay.exists(p, p.n > 1)',
  'pay.all(p, p.n > 1) || count(pay) > 3',
  'pay.all(p, pay.exists(q, q.n > p.n))',
  'pay.all(p, p.n < count(pay))',
  'pay.all(p, look.all(l, p.n > 1))',
  'approved.all(a, a.amount < 99)',
  'unique(pay, p, p.n)',
]) {
  test(`${rule} is no condition of an action alone`, (t) => {
    t.deepEqual(fromRules(rule), []);
  });
}

test('the part of a rule that is about the action alone is a condition', (t) => {
  t.deepEqual(fromRules('pay.all(p, p.n < count(pay) && p.flag)'), asOwn('args.flag'));
});

test('a rule about the state at the end is no condition, because an action sees an earlier one', (t) => {
  const plan = outlookPlan({ state: 'left: 3', rules: ['pay.all(p, p.n < state.left)'] });
  t.deepEqual(conditionsOf(stepOf(plan), plan), []);
});

test('a condition follows from the state and the arguments that it reads', (t) => {
  const follows = (where: string, ...known: readonly string[]) => {
    const plan = outlookPlan({ given: 'seven: 7', state: 'left: 3', pay: `times: 0..4, where: '${where}'` });
    return followsFrom(conditionOf(plan), new Map(known.map((name) => [name, 1n])));
  };
  t.true(follows('args.n > args.m', 'n', 'm'));
  t.false(follows('args.n > args.m', 'n'));
  t.true(follows('args.n > state.left + seven', 'n'));
  t.true(follows('args.invoice in approved', 'invoice'));
  t.false(follows('args.invoice in approved', 'n'));
  t.false(follows('args.n > 1 || started_at > approved_at', 'n'));
  const response = { op: 'reference', scope: 'resp', name: 'fee' } as const;
  t.false(followsFrom(response, new Map([['fee', 1n]])));
});
