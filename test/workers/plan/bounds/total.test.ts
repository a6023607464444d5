import test from 'ava';
import { boundNumber, type Reason } from '../../../../workers/plan/bounds/total.ts';
import { type Case, numberIn, write } from './number-case.ts';

/** "most in one action; most in a run (reason)" of a number. */
function bound(one: Case): string {
  const { plan, step, number } = numberIn(one);
  const { each, all, isNonNegative, reason } = boundNumber(step, number, plan);
  return `${write(each, number, 'any')}; ${write(all, number, 'any')} (${isNonNegative ? describe(reason) : 'negative'})`;
}

function describe(reason: Reason | undefined): string {
  if (reason === undefined) return 'nothing limits it';
  switch (reason.kind) {
    case 'each':
      return `${reason.times} times the most of one action`;
    case 'rule':
      return `the rule \`${reason.id}\``;
    case 'rows':
      return 'each row of its table is used at most once';
    default:
      return `the ${reason.kind} \`${reason.name}\``;
  }
}

const ONCE = ['unique(pay, p, p.who)'];
const BOTH = ['unique(pay, p, [p.who, p.code])'];
const TWO = 'args.m <= two[[args.who, args.code]].top';
const TOP = 'args.m <= t[args.who].top';
const MAPPED = { state: '{ paid: "map(string, decimal(2, 0..8.00), default 1.00)" }' };
const ANY_MAP = { state: '{ paid: "map(string, decimal(2), default 1.00)" }' };
const KS = 'args.k in [1, 2, 3]';
const KEYS = 'args.who in ["a", "b", "a"]';
const PAID = (value: string) => ({ ...MAPPED, where: KEYS, effects: `{ "paid[args.who]": "${value}" }` });
const ADDS = PAID('state.paid[args.who] + args.m');
const LEFT = {
  state: '{ left: { type: "decimal(2, 5.00..)", initial: 80.00 } }',
  effects: '{ left: state.left - args.m }',
};
const OPEN = { ...LEFT, state: '{ left: 80.00 }' };
const GUARDED = { ...OPEN, where: 'args.m <= state.left - 5.00' };
const byTimes = (each: string, all: string) => `${each}; ${all} (4 times the most of one action)`;
const NONE = 'any; any (nothing limits it)';
const three = (each: string, all: string) => `${each}; ${all} (3 times the most of one action)`;
const rows = (each: string, all: string) => `${each}; ${all} (each row of its table is used at most once)`;
const rule = (limit: string, name = 'r0') => `${limit}; ${limit} (the rule \`${name}\`)`;
const distinct = (each: string, all: string) => `${each}; ${all} (the rule \`r0\`)`;
const map = (limit: string, each = limit) => `${each}; ${limit} (the map \`paid\`)`;
const left = (limit: string) => `${limit}; ${limit} (the state \`left\`)`;

const CASES: readonly (readonly [plan: Case, bound: string])[] = [
  [{}, NONE],
  [{ part: ['arg', 'fee'] }, byTimes('5.00', '20.00')],
  [{ part: ['arg', 'loose'] }, 'any; any (negative)'],
  [{ where: 'args.m <= 6.00' }, byTimes('6.00', '24.00')],
  [{ where: 'args.m <= -6.00' }, '0.00; 0.00 (0 times the most of one action)'],
  [{ where: 'args.loose <= 6.00' }, NONE],
  [{ part: ['resp', 'got'], rules: ['pay.all(p, p.got <= 2.00)'] }, byTimes('2.00', '8.00')],
  // Columns.
  [{ where: TOP }, byTimes('9.00', '36.00')],
  [{ where: 'args.m < t[args.who].top' }, byTimes('8.99', '35.96')],
  [{ where: 'args.m == t[args.who].top' }, byTimes('9.00', '36.00')],
  [{ where: 't[args.who].top > args.m' }, byTimes('8.99', '35.96')],
  [{ where: 'args.m >= t[args.who].top' }, NONE],
  [{ where: 'args.m <= none[args.who].top' }, '0.00; 0.00 (0 times the most of one action)'],
  [{ where: TOP, rules: ONCE }, rows('9.00', '16.00')],
  [{ where: 't[args.who].top > args.m', rules: ONCE }, rows('8.99', '15.98')],
  [{ where: TOP, rules: ONCE, times: '0..1' }, '9.00; 9.00 (1 times the most of one action)'],
  [{ where: TOP, rules: ONCE, times: '0..2' }, rows('9.00', '16.00')],
  [{ where: 'args.m <= 100 * t[args.who].odd', rules: ONCE, times: '0..2' }, rows('777.70', '878.20')],
  [{ where: 'args.m <= 2 * t[args.who].top', rules: ONCE }, rows('18.00', '32.00')],
  [{ where: 'args.m <= t[args.who].top * 0.5', rules: ONCE }, rows('4.50', '8.00')],
  [{ where: 'args.m <= 0 * t[args.who].top', rules: ONCE }, three('0.00', '0.00')],
  [{ where: 'args.m <= -1 * t[args.who].top', rules: ONCE }, '4.00; 4.00 (1 times the most of one action)'],
  [{ where: 'args.m <= t[args.who].odd', rules: ONCE }, rows('7.77', '8.77')],
  [{ where: 'args.m <= min(t[args.who].top, 8.00)', rules: ONCE }, distinct('8.00', '15.00')],
  [{ where: 'args.m <= min(t[args.who].odd, t[args.who].top)', rules: ONCE }, distinct('7.00', '8.00')],
  [{ where: 'args.m <= max(t[args.who].odd, t[args.who].top)', rules: ONCE }, distinct('9.00', '16.77')],
  [{ where: 'args.m <= t[args.who].top + 1.00', rules: ONCE }, distinct('10.00', '18.00')],
  [{ where: 'args.m <= t["a"].top && args.who in t', rules: ONCE }, three('9.00', '27.00')],
  [{ where: TWO, rules: ONCE }, '9.00; 9.00 (1 times the most of one action)'],
  [{ where: TWO, rules: BOTH }, rows('9.00', '16.00')],
  [{ where: TOP, rules: BOTH }, byTimes('9.00', '36.00')],
  [{ where: KS, part: ['arg', 'k'], rules: ['unique(pay, p, p.k)'], times: '0..2' }, distinct('3', '5')],
  [{ where: `${KS} && ${KEYS}`, part: ['arg', 'k'], rules: ['unique(pay, p, [p.k, p.who])'] }, distinct('3', '10')],
  [
    { where: `${KS} && args.m <= 9.00`, rules: ['sum(pay, p, p.k) <= 2'] },
    '9.00; 18.00 (2 times the most of one action)',
  ],
  [{ where: TOP, rules: ['unique(tick, p, p.who)'] }, byTimes('9.00', '36.00')],
  [{ where: TOP, rules: ['flag || unique(pay, p, p.who)'] }, byTimes('9.00', '36.00')],
  [{ where: TOP, rules: ['unique(pay, p, p.who, p.code == "x")'] }, byTimes('9.00', '36.00')],
  // Rules.
  [{ rules: ['sum(pay, p, p.m) <= 30.00'] }, rule('30.00')],
  [{ rules: ['flag', 'sum(pay, p, p.m) <= cap'] }, rule('30.00', 'r1')],
  [{ rules: ['sum(pay, p, p.m) <= -1.00'] }, rule('0.00')],
  [{ rules: ['sum(pay, p, p.m) <= 30.00', 'sum(pay, p, p.m) <= 20.00'] }, rule('20.00', 'r1')],
  [{ rules: ['sum(pay, p, p.m + p.fee) <= 30.00'] }, rule('30.00')],
  [{ rules: ['sum(pay, p, p.m - p.fee) <= 30.00'] }, rule('50.00')],
  [{ rules: ['sum(pay, p, p.m + p.back) <= 30.00'] }, rule('66.00')],
  [{ rules: ['sum(pay, p, p.m + p.loose) <= 30.00'] }, NONE],
  [{ rules: ['sum(pay, p, 2 * p.m) <= 31.01'] }, rule('15.50')],
  [{ rules: ['sum(pay, p, p.fee) <= 30.00'] }, NONE],
  [{ rules: ['sum(pay, p, p.m, p.who == "a") <= 30.00'] }, NONE],
  [{ rules: ['sum(pay, p, p.m) + sum(tick, q, q.n) <= 30.00'] }, rule('30.00')],
  [{ rules: ['tick.all(q, q.n <= 2)', 'sum(pay, p, p.m) - sum(tick, q, q.n) <= 30.00'] }, rule('36.00', 'r1')],
  [{ rules: ['sum(pay, p, p.m) + sum(tick, q, q.d) <= 30.00'] }, NONE],
  [{ rules: ['sum(pay, p, p.m) + sum(pay, p, p.fee) <= 30.00'] }, rule('30.00')],
  [{ rules: ['sum(pay, p, p.m) - sum(pay, p, p.fee, p.who == "a") <= 30.00'] }, rule('50.00')],
  [{ rules: ['sum(pay, p, p.m) <= t["a"].top'] }, rule('9.00')],
  [{ rules: ['sum(pay, p, p.m) <= sum(t, r, r.top)'] }, rule('12.00')],
  [{ rules: ['cap >= sum(pay, p, p.m) && flag'] }, rule('30.00')],
  [{ rules: ['30.00 - sum(pay, p, p.m) >= 5.00'] }, rule('25.00')],
  [{ rules: ['2 * sum(pay, p, p.m) <= 50'] }, rule('25.00')],
  [{ rules: ['sum(pay, p, p.m) - count(tick) <= 25.00'] }, rule('28.00')],
  [{ rules: ['sum(pay, p, p.m) <= cap || flag'] }, NONE],
  [{ rules: ['flag ? sum(pay, p, p.m) <= 25.00 : sum(pay, p, p.m) <= 26.00'] }, rule('26.00')],
  [{ rules: ['count(pay) <= 3'] }, NONE],
  [{ rules: ['sum(pay, p, p.m) <= sum(tick, q, q.n)'] }, NONE],
  // States.
  [LEFT, left('75.00')],
  [OPEN, NONE],
  [{ ...OPEN, rules: ['state.left == 1.00'] }, rule('79.00')],
  [{ ...OPEN, rules: ['state.left >= 2.00', 'state.left >= 1.00'] }, rule('78.00')],
  [{ ...OPEN, state: '{ left: 80.00, x: 1.00 }', rules: ['state.x >= 2.00'] }, NONE],
  [{ ...LEFT, rules: ['state.left >= 20.00'] }, rule('60.00')],
  [{ ...LEFT, rules: ['state.left >= 2.00'] }, left('75.00')],
  [{ ...LEFT, effects: '{ left: state.left - args.m - args.fee }' }, left('75.00')],
  [{ ...LEFT, effects: '{ left: state.left + args.m }' }, NONE],
  [{ ...LEFT, effects: '{ left: 80.00 - args.m }' }, NONE],
  [
    {
      ...LEFT,
      state: '{ x: 9.00, left: { type: "decimal(2, 5.00..)", initial: 80.00 } }',
      effects: '{ left: state.x - args.m }',
    },
    NONE,
  ],
  [{ ...LEFT, ticks: '{ left: state.left - args.n }' }, left('75.00')],
  [{ ...LEFT, ticks: '{ left: state.left - args.d }' }, NONE],
  [{ ...LEFT, ticks: '{ left: state.left - 1.50 }' }, left('75.00')],
  [{ ...LEFT, ticks: '{ left: state.left + 1.50 }' }, left('79.50')],
  [{ ...LEFT, ticks: '{ left: 80.00 }' }, NONE],
  // Conditions that guard a state.
  [GUARDED, left('75.00')],
  [{ ...GUARDED, where: 'args.m < state.left' }, left('79.99')],
  [{ ...GUARDED, where: 'args.m + args.fee <= state.left' }, left('80.00')],
  [{ ...GUARDED, where: 'flag || args.m <= state.left' }, NONE],
  [{ ...GUARDED, ticks: '{ left: state.left + 1.00 }' }, left('78.00')],
  [{ ...GUARDED, ticks: '{ left: state.left - args.n }' }, byTimes('75.00', '300.00')],
  [{ ...GUARDED, effects: '{ left: state.left - 2 * args.m }' }, left('75.00')],
  [{ ...GUARDED, effects: '{ left: state.left - 2 * args.m - args.fee }' }, '75.00; 77.50 (the state `left`)'],
  [{ tool: 'take@1', state: '{ pool: 40.00 }', rules: ['state.pool >= 0.00'] }, '40.00; 40.00 (the rule `r0`)'],
  // Maps.
  [PAID('state.paid[args.who] + args.m'), map('14.00', '7.00')],
  [PAID('args.m + state.paid[args.who]'), map('14.00', '7.00')],
  [{ ...PAID('state.paid[args.who] + args.m'), where: 'true' }, NONE],
  [{ ...MAPPED, effects: `{ 'paid["a"]': 'state.paid["a"] + args.m' }` }, map('7.00')],
  [
    { ...MAPPED, effects: `{ 'paid[t[args.code].who]': 'state.paid[t[args.code].who] + args.m' }` },
    map('21.00', '7.00'),
  ],
  [{ ...ADDS, ...ANY_MAP }, NONE],
  [{ ...ADDS, ...ANY_MAP, where: `${KEYS} && state.paid[args.who] + args.m <= 4.00` }, map('6.00', '3.00')],
  [{ ...ADDS, where: `${KEYS} && args.m + state.paid[args.who] <= 4.00` }, map('6.00', '3.00')],
  [{ ...ADDS, where: `${KEYS} && 4.00 >= args.m + state.paid[args.who]` }, map('6.00', '3.00')],
  [{ ...ADDS, where: `${KEYS} && state.paid[args.who] + args.m < 4.00` }, map('5.98', '2.99')],
  [{ ...ADDS, where: `${KEYS} && state.paid["c"] + args.m <= 4.00` }, map('14.00', '4.00')],
  [{ ...ADDS, ...ANY_MAP, where: `${KEYS} && state.paid[args.who] + args.m <= -4.00` }, byTimes('0.00', '0.00')],
  [PAID('state.paid[args.who] + args.m - 1.00'), NONE],
  [PAID('state.paid[args.who] + args.fee'), NONE],
  [PAID('state.paid[args.code] + args.m'), NONE],
  [PAID('state.paid[args.who] + args.m + args.fee'), map('14.00', '7.00')],
  [PAID('state.paid[args.who] + args.m", "paid[args.code]": "state.paid[args.code] + args.m'), NONE],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.n" }' }, map('14.00', '7.00')],
  [{ ...MAPPED, effects: `{ 'paid["a"]': 'state.paid["a"] - args.m' }` }, map('1.00')],
  [
    { ...MAPPED, effects: `{ 'paid["a"]': 'state.paid["a"] + 3.00' }`, where: 'args.m <= 1.00' },
    '1.00; 2.00 (2 times the most of one action)',
  ],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.d" }' }, NONE],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "1.00 + 0.00" }' }, NONE],
  // There are no ticks, whose sum is then 0.
  [
    {
      ...ANY_MAP,
      ticks: `{ 'paid["a"]': 'state.paid["a"] + args.n' }, where: 'state.paid["a"] + args.n <= -4.00'`,
      rules: ['sum(pay, p, p.m) <= sum(tick, k, k.n) + 10.00'],
    },
    rule('10.00'),
  ],
];

test('the most of a number follows from each thing that limits it, and the reason is that', (t) => {
  for (const [plan, expected] of CASES) t.is(bound(plan), expected, JSON.stringify(plan));
});
