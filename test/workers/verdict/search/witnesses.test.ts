import test from 'ava';
import { coreOf, decisionOn, type Row, testRows } from '../../../models/abstracted-plan.ts';
import { payPlan } from '../../../models/pay-plan.ts';

const LOOK = 'look: { tool: look@1, times: 0..2 }';

/** With a number of payments, that a rule asks for, or any. */
const counted = (count: number | undefined, rules: readonly string[], where?: string) => ({
  steps: LOOK,
  pay: `times: 0..4${where === undefined ? '' : `, where: '${where}'`}`,
  rules: [...rules, ...(count === undefined ? [] : [`count(pay) == ${count}`])],
});
const no = (count: number | undefined, ...rules: readonly string[]): Row => [counted(count, rules), '*'];
const noWhere = (where: string, ...rules: readonly string[]): Row => [counted(undefined, rules, where), '*'];
const may = (count: number | undefined, ...rules: readonly string[]): Row => [counted(count, rules)];
const mayWhere = (where: string, ...rules: readonly string[]): Row => [counted(undefined, rules, where)];

testRows({
  'what all have and what one has must not contradict each other': [
    no(undefined, 'pay.all(p, p.n > 1)', 'pay.exists(p, p.n < 2)'),
    no(undefined, 'pay.exists(p, p.n < 2)', 'pay.all(p, p.n > 1)'),
    may(undefined, 'pay.all(p, p.n > 1)', 'pay.exists(p, p.n < 3)'),
    may(undefined, 'pay.exists(p, p.n > 1)', 'pay.exists(p, p.n < 2)'),
  ],
  'what all have must not contradict itself, if there is one': [
    no(1, 'pay.all(p, p.n > 1)', 'pay.all(p, p.n < 2)'),
    may(0, 'pay.all(p, p.n > 1)', 'pay.all(p, p.n < 2)'),
  ],
  'only actions that meet the condition of a rule are asked about': [
    may(1, 'pay.all(p, !p.flag || p.n > 1)', 'pay.all(p, !p.flag || p.n < 2)'),
    no(undefined, 'pay.all(p, !p.flag || p.n > 1)', 'pay.exists(p, p.flag && p.n < 2)'),
    may(undefined, 'pay.all(p, !p.flag || p.n > 1)', 'pay.exists(p, !p.flag && p.n < 2)'),
  ],
  'an action that exists obeys the conditions of its step, and its types': [
    noWhere('args.n >= 2', 'pay.exists(p, p.n < 2)'),
    mayWhere('args.n >= 2', 'pay.exists(p, p.n < 3)'),
    no(undefined, 'pay.exists(p, p.n > 3)'),
    no(undefined, 'pay.exists(p, p.response.fee < 2)'),
  ],
  'two actions of which all differ are not the same': [
    no(2, 'unique(pay, p, p.n)', 'pay.all(p, p.n == 1)'),
    may(1, 'unique(pay, p, p.n)', 'pay.all(p, p.n == 1)'),
    may(2, 'unique(pay, p, p.n)', 'pay.all(p, p.n <= 1)'),
    may(2, 'unique(pay, p, [p.n, p.m])', 'pay.all(p, p.n == 1)'),
    no(2, 'unique(pay, p, [p.n, p.m])', 'pay.all(p, p.n == 1 && p.m == 1)'),
    may(2, 'unique(pay, p, p.n, p.flag)', 'pay.all(p, p.n == 1)'),
    no(2, 'unique(pay, p, p.n, p.flag)', 'pay.all(p, p.n == 1)', 'pay.all(p, p.flag)'),
    noWhere('args.n == 2', 'unique(pay, p, p.n)', 'count(pay) == 2'),
  ],
  'an action is done after the approval, while the plan has not expired, and ends after it starts': [
    no(undefined, 'pay.exists(p, p.started_at < approved_at - duration("6s"))'),
    may(undefined, 'pay.exists(p, p.started_at < approved_at - duration("4s"))'),
    no(undefined, 'pay.exists(p, p.started_at > timestamp("2027-12-05T00:00:06Z"))'),
    may(undefined, 'pay.exists(p, p.started_at > timestamp("2027-12-05T00:00:04Z"))'),
    no(undefined, 'pay.exists(p, p.ended_at < p.started_at)'),
    no(1, 'pay.all(p, p.ended_at < p.started_at)'),
  ],
  'a sum of numbers that are never negative is at least that of an action': [
    no(undefined, 'pay.exists(p, p.n >= 3)', 'sum(pay, p, p.n) <= 2'),
    may(undefined, 'pay.exists(p, p.n >= 3)', 'sum(pay, p, p.n) <= 3'),
    may(undefined, 'pay.exists(p, p.m >= 2)', 'sum(pay, p, p.m) <= 0'),
    no(undefined, 'pay.exists(p, p.response.fee >= 3)', 'sum(pay, p, p.response.fee) < 3'),
  ],
  'which action comes first is not asked of a witness': [
    may(0, 'pay.all(p, pay.exists(q, before(q, p) && p.n > q.n && q.n > p.n))'),
    may(1, 'pay.exists(p, pay.all(q, before(p, q) || p.n < 0))'),
  ],
  'the least and the greatest value are those of an action': ['least', 'greatest'].flatMap((word) => [
    ...[2, 3].map((value) => mayWhere('args.n > 1', `${word}(pay, p, p.n) == ${value}`)),
    ...[1, 4].map((value) => noWhere('args.n > 1', `${word}(pay, p, p.n) == ${value}`)),
    no(undefined, `${word}(pay, p, p.n) == 2`, 'pay.all(p, p.n == 3)'),
    may(undefined, `${word}(pay, p, p.n) == 3`, 'pay.all(p, p.n == 3)'),
    no(0, `${word}(pay, p, p.n) < 9`),
  ]),
  'the least value is at most that of each action, and the greatest at least': [
    no(undefined, 'least(pay, p, p.n) > 1', 'greatest(pay, p, p.n) < 2'),
    no(1, 'least(pay, p, p.n) == 2', 'pay.all(p, p.n < 2)'),
  ],
  'the least value under a condition is that of an action that meets it': [
    mayWhere('args.flag == args.flag', 'least(pay, p, p.n, p.flag) == 1'),
    noWhere('args.flag == (args.n > 2)', 'least(pay, p, p.n, p.flag) == 1'),
    mayWhere('args.flag == (args.n > 2)', 'least(pay, p, p.n, p.flag) == 3'),
  ],
});

/** Rules of which each makes a witness, and a rule that a further witness contradicts. */
const witnesses = (count: number) => [
  ...Array.from({ length: count }, (_, at) => `pay.exists(p, p.free == ${at})`),
  'pay.exists(p, p.n > 3)',
];
/** Truths about all payments, and a further one, which is impossible. */
const truths = (count: number) => [
  ...Array.from({ length: count }, (_, at) => `count(pay) == 0 || pay.all(p, p.free != ${at})`),
  'count(pay) == 0 || pay.all(p, p.free == 0 && p.n > 3)',
];

test('32 witnesses are made, and 256 truths are applied to them', (t) => {
  t.is(coreOf({ rules: witnesses(31) }), 'r31');
  t.is(coreOf({ rules: witnesses(32) }), undefined);
  t.is(coreOf({ pay: 'times: 1..4', rules: truths(255) }), 'pay/min r255');
});

test('a witness goes through tables of up to 256 rows', (t) => {
  const plan = payPlan({ rules: ['pay.exists(p, approved.exists(a, a.payee != "P" && a.payee != "Q"))'] });
  const approved = plan.tables.get('approved');
  if (approved === undefined) return t.fail('no table');
  const verdictWith = (rows: number) => {
    const table = { ...approved, rows: Array.from({ length: rows }, () => approved.rows[0] ?? []) };
    return decisionOn({ ...plan, tables: new Map([['approved', table]]) }).verdict;
  };
  t.is(verdictWith(256), 'violated');
  t.is(verdictWith(257), 'satisfied');
});
