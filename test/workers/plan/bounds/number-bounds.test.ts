import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { numbersOf } from '../../../../workers/plan/bounds/step-ranges.ts';
import { boundNumber, type Reason } from '../../../../workers/plan/bounds/total.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { describeAmount, scaleOf } from '../../../../workers/plan/view/words/amount.ts';
import { planOf, textsOf, toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..)", fee: "decimal(2, 0..5.00)", loose: decimal(2), back: "decimal(2, -9.00..-1.00)", who: string(8), code: string(8) }
    responds: { id: string(64), got: "decimal(2, 0..)" }
    identity: id
    amounts: args.m in EUR
  tick@1.0.0:
    effect: write
    args: { n: "int(0..)", d: int, who: string(8) }
    responds: { id: string(64) }
  take@1.0.0:
    effect: revenue_write
    replay: effects
    args: { m: "decimal(2, 0..)" }
    responds: { id: string(64), rest: decimal(2) }
    identity: id
    state: { pool: decimal(2) }
    effects: { pool: state.pool - args.m }
    observe: { pool: rest }
    amounts: args.m in EUR
`);

interface Case {
  readonly where?: string;
  readonly rules?: readonly string[];
  readonly part?: readonly [string, string];
  readonly state?: string;
  readonly effects?: string;
  /** Effects of the step `tick`. */
  readonly ticks?: string;
  readonly times?: string;
  readonly tool?: string;
}

/** "most in one action; most in a run (reason)" of a number of the step `pay`. */
function bound(one: Case): string {
  const { where = 'true', rules = [], part = ['arg', 'm'], times = '0..4', tool = 'pay@1' } = one;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { flag: true, most: 3, cap: 30.00 }
state: ${one.state ?? '{}'}
tables:
  t: { key: who, columns: { who: string(8), top: decimal(2), odd: decimal(3), n: int }, rows: [{ who: a, top: 7.00, odd: 7.777, n: 2 }, { who: b, top: 9.00, odd: 1.005, n: 1 }, { who: c, top: -4.00, odd: 0.001, n: 0 }] }
  two: { key: [who, code], columns: { who: string(8), code: string(8), top: decimal(2) }, rows: [{ who: a, code: x, top: 7.00 }, { who: a, code: y, top: 9.00 }] }
  none: { key: who, columns: { who: string(8), top: decimal(2) }, rows: [] }
steps:
  tick: { tool: tick@1, times: 0..3, effects: ${one.ticks ?? '{}'} }
  pay: { tool: ${tool}, times: ${times}, where: ${JSON.stringify(where)}, effects: ${one.effects ?? '{}'} }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
  const read = readPlan(plan, [], { tools: textsOf(TOOLS), tables: [] });
  const step = defined(read.steps.find(({ stepId }) => stepId === 'pay'));
  const number = defined(numbersOf(step).find(({ scope, name }) => scope === part[0] && name === part[1]));
  const { each, all, isNonNegative, reason } = boundNumber(step, number, read);
  const write = (limit: bigint | undefined) =>
    limit === undefined ? 'any' : describeAmount(limit, scaleOf(number.type));
  return `${write(each)}; ${write(all)} (${isNonNegative ? describe(reason) : 'negative'})`;
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
const TOP = 'args.m <= t[args.who].top';
const MAPPED = { state: '{ paid: "map(string, decimal(2, 0..8.00), default 1.00)" }' };
const ADDS = { effects: '{ "paid[args.who]": "state.paid[args.who] + args.m" }' };
const KEYS = 'args.who in ["a", "b", "a"]';
const LEFT = {
  state: '{ left: { type: "decimal(2, 5.00..)", initial: 80.00 } }',
  effects: '{ left: state.left - args.m }',
};
const OPEN = { ...LEFT, state: '{ left: 80.00 }' };
const byTimes = (each: string, all: string) => `${each}; ${all} (4 times the most of one action)`;
const NONE = 'any; any (nothing limits it)';
const rows = (each: string, all: string) => `${each}; ${all} (each row of its table is used at most once)`;
const rule = (limit: string, name = 'r0') => `${limit}; ${limit} (the rule \`${name}\`)`;
const left = (limit: string) => `${limit}; ${limit} (the state \`left\`)`;

const CASES: readonly (readonly [what: string, plan: Case, bound: string])[] = [
  ['nothing', {}, NONE],
  ['its type', { part: ['arg', 'fee'] }, byTimes('5.00', '20.00')],
  ['a type below zero', { part: ['arg', 'loose'] }, 'any; any (negative)'],
  ['a type that is only below zero', { part: ['arg', 'back'] }, '-1.00; any (negative)'],
  ['a condition', { where: 'args.m <= 6.00' }, byTimes('6.00', '24.00')],
  ['a condition that nothing meets', { where: 'args.m <= -6.00' }, '0.00; 0.00 (0 times the most of one action)'],
  ['exactly one action', { where: 'args.m <= 6.00', times: '1' }, '6.00; 6.00 (1 times the most of one action)'],
  ['a condition on another number', { where: 'args.loose <= 6.00' }, NONE],
  ['a response', { part: ['resp', 'got'], rules: ['pay.all(p, p.got <= 2.00)'] }, byTimes('2.00', '8.00')],
  // Columns.
  ['a column', { where: TOP }, byTimes('9.00', '36.00')],
  ['a column above it', { where: 'args.m < t[args.who].top' }, byTimes('8.99', '35.96')],
  ['a column that it is', { where: 'args.m == t[args.who].top' }, byTimes('9.00', '36.00')],
  ['a column, on the left', { where: 't[args.who].top == args.m' }, byTimes('9.00', '36.00')],
  ['a column, on the left, above it', { where: 't[args.who].top > args.m' }, byTimes('8.99', '35.96')],
  ['a column, on the left, that it may reach', { where: 't[args.who].top >= args.m' }, byTimes('9.00', '36.00')],
  ['a column below it', { where: 'args.m >= t[args.who].top' }, NONE],
  ['a column on the left, below it', { where: 't[args.who].top <= args.m' }, NONE],
  ['a column of an empty table', { where: 'args.m <= none[args.who].top' }, byTimes('0.00', '0.00')],
  ['each row once', { where: TOP, rules: ONCE }, rows('9.00', '16.00')],
  ['each row once, equal', { where: 'args.m == t[args.who].top', rules: ONCE }, rows('9.00', '16.00')],
  ['each row once, on the left', { where: 't[args.who].top == args.m', rules: ONCE }, rows('9.00', '16.00')],
  ['each row once, above', { where: 't[args.who].top > args.m', rules: ONCE }, rows('8.99', '15.98')],
  ['each row once, at least', { where: 't[args.who].top >= args.m', rules: ONCE }, rows('9.00', '16.00')],
  ['one action', { where: TOP, rules: ONCE, times: '0..1' }, '9.00; 9.00 (1 times the most of one action)'],
  ['two actions', { where: TOP, rules: ONCE, times: '0..2' }, rows('9.00', '16.00')],
  ['twice a column', { where: 'args.m <= 2 * t[args.who].top', rules: ONCE }, rows('18.00', '32.00')],
  ['a column twice', { where: 'args.m <= t[args.who].top * 2', rules: ONCE }, rows('18.00', '32.00')],
  ['half a column', { where: 'args.m <= t[args.who].top * 0.5', rules: ONCE }, rows('4.50', '8.00')],
  [
    'nothing of a column',
    { where: 'args.m <= 0 * t[args.who].top', rules: ONCE },
    '0.00; 0.00 (3 times the most of one action)',
  ],
  [
    'less than nothing of a column',
    { where: 'args.m <= -1 * t[args.who].top', rules: ONCE },
    '4.00; 12.00 (3 times the most of one action)',
  ],
  ['a column with more decimals', { where: 'args.m <= t[args.who].odd', rules: ONCE }, rows('7.77', '8.77')],
  [
    'the least of a column and a number',
    { where: 'args.m <= min(t[args.who].top, 8.00)', rules: ONCE },
    rows('8.00', '16.00'),
  ],
  [
    'the least of two columns',
    { where: 'args.m <= min(t[args.who].odd, t[args.who].top)', rules: ONCE },
    rows('7.77', '8.77'),
  ],
  [
    'the greatest of two columns',
    { where: 'args.m <= max(t[args.who].odd, t[args.who].top)', rules: ONCE },
    '9.00; 27.00 (3 times the most of one action)',
  ],
  [
    'a column and more',
    { where: 'args.m <= t[args.who].top + 1.00', rules: ONCE },
    '10.00; 30.00 (3 times the most of one action)',
  ],
  [
    'a row of a fixed key',
    { where: 'args.m <= t["a"].top && args.who in t', rules: ONCE },
    '9.00; 27.00 (3 times the most of one action)',
  ],
  [
    'a part of the key once',
    { where: 'args.m <= two[[args.who, args.code]].top', rules: ONCE },
    '9.00; 9.00 (1 times the most of one action)',
  ],
  [
    'the key once',
    { where: 'args.m <= two[[args.who, args.code]].top', rules: ['unique(pay, p, [p.who, p.code])'] },
    rows('9.00', '16.00'),
  ],
  ['more than the key once', { where: TOP, rules: ['unique(pay, p, [p.who, p.code])'] }, byTimes('9.00', '36.00')],
  ['another argument once', { where: TOP, rules: ['unique(pay, p, p.code)'] }, byTimes('9.00', '36.00')],
  ['the key of another step once', { where: TOP, rules: ['unique(tick, p, p.who)'] }, byTimes('9.00', '36.00')],
  [
    'the key once, or something else',
    { where: TOP, rules: ['flag || unique(pay, p, p.who)'] },
    byTimes('9.00', '36.00'),
  ],
  ['the key once, for some', { where: TOP, rules: ['unique(pay, p, p.who, p.code == "x")'] }, byTimes('9.00', '36.00')],
  // Rules.
  ['a sum', { rules: ['sum(pay, p, p.m) <= 30.00'] }, rule('30.00')],
  ['a sum that is given', { rules: ['flag', 'sum(pay, p, p.m) <= cap'] }, rule('30.00', 'r1')],
  ['a sum below zero', { rules: ['sum(pay, p, p.m) <= -1.00'] }, rule('0.00')],
  ['two sums', { rules: ['sum(pay, p, p.m) <= 30.00', 'sum(pay, p, p.m) <= 20.00'] }, rule('20.00', 'r1')],
  ['a sum with a fee', { rules: ['sum(pay, p, p.m + p.fee) <= 30.00'] }, rule('30.00')],
  ['a sum without a fee', { rules: ['sum(pay, p, p.m - p.fee) <= 30.00'] }, rule('50.00')],
  ['a sum and what is given back', { rules: ['sum(pay, p, p.m + p.back) <= 30.00'] }, rule('66.00')],
  ['a sum less what is given back', { rules: ['sum(pay, p, p.m - p.back) <= 30.00'] }, rule('30.00')],
  ['a sum and what may be anything', { rules: ['sum(pay, p, p.m + p.loose) <= 30.00'] }, NONE],
  ['a sum of twice', { rules: ['sum(pay, p, 2 * p.m) <= 31.01'] }, rule('15.50')],
  ['a sum of another number', { rules: ['sum(pay, p, p.fee) <= 30.00'] }, NONE],
  ['a sum of some', { rules: ['sum(pay, p, p.m, p.who == "a") <= 30.00'] }, NONE],
  ['two sums together', { rules: ['sum(pay, p, p.m) + sum(tick, q, q.n) <= 30.00'] }, rule('30.00')],
  ['a sum less another', { rules: ['sum(pay, p, p.m) - sum(tick, q, q.n) <= 30.00'] }, NONE],
  [
    'a sum less another with a limit',
    { rules: ['tick.all(q, q.n <= 2)', 'sum(pay, p, p.m) - sum(tick, q, q.n) <= 30.00'] },
    rule('36.00', 'r1'),
  ],
  ['a sum and another that may be below zero', { rules: ['sum(pay, p, p.m) + sum(tick, q, q.d) <= 30.00'] }, NONE],
  ['a sum and a fee for each', { rules: ['sum(pay, p, p.m) + sum(pay, p, p.fee) <= 30.00'] }, rule('30.00')],
  [
    'a sum and fees of some',
    { rules: ['sum(pay, p, p.m) - sum(pay, p, p.fee, p.who == "a") <= 30.00'] },
    rule('50.00'),
  ],
  [
    'a sum of some and of all',
    { rules: ['sum(pay, p, p.m) + sum(pay, p, p.m, p.who == "a") <= 30.00'] },
    rule('30.00'),
  ],
  ['a sum up to a cell', { rules: ['sum(pay, p, p.m) <= t["a"].top'] }, rule('9.00')],
  ['a sum up to a sum of rows', { rules: ['sum(pay, p, p.m) <= sum(t, r, r.top)'] }, rule('12.00')],
  ['a sum on the right', { rules: ['cap >= sum(pay, p, p.m) && flag'] }, rule('30.00')],
  ['a sum that is subtracted', { rules: ['30.00 - sum(pay, p, p.m) >= 5.00'] }, rule('25.00')],
  ['twice a sum', { rules: ['2 * sum(pay, p, p.m) <= 50'] }, rule('25.00')],
  ['a sum less a number of actions', { rules: ['sum(pay, p, p.m) - count(tick) <= 25.00'] }, rule('28.00')],
  ['a sum or something else', { rules: ['sum(pay, p, p.m) <= cap || flag'] }, NONE],
  ['one of two sums', { rules: ['flag ? sum(pay, p, p.m) <= 25.00 : sum(pay, p, p.m) <= 26.00'] }, rule('26.00')],
  ['a number of actions', { rules: ['count(pay) <= 3'] }, NONE],
  ['a sum up to another sum', { rules: ['sum(pay, p, p.m) <= sum(tick, q, q.n)'] }, NONE],
  // States.
  ['a state', LEFT, left('75.00')],
  ['a state without a limit', OPEN, NONE],
  ['a state that is used up', { ...OPEN, rules: ['state.left == 1.00'] }, rule('79.00')],
  [
    'a state that has a least at the end',
    { ...OPEN, rules: ['state.left >= 2.00', 'state.left >= 1.00'] },
    rule('78.00'),
  ],
  ['a state that has a most at the end', { ...OPEN, rules: ['state.left <= 2.00'] }, NONE],
  ['another state that has a least', { ...OPEN, state: '{ left: 80.00, x: 1.00 }', rules: ['state.x >= 2.00'] }, NONE],
  ['a state with a higher least at the end', { ...LEFT, rules: ['state.left >= 20.00'] }, rule('60.00')],
  ['a state with a lower least at the end', { ...LEFT, rules: ['state.left >= 2.00'] }, left('75.00')],
  ['a state that another number uses', { ...LEFT, effects: '{ left: state.left - args.fee }' }, NONE],
  ['a state from which more is taken', { ...LEFT, effects: '{ left: state.left - args.m - args.fee }' }, left('75.00')],
  ['a state to which it is added', { ...LEFT, effects: '{ left: state.left + args.m }' }, NONE],
  ['a state that is set', { ...LEFT, effects: '{ left: 80.00 - args.m }' }, NONE],
  [
    'a state of another',
    {
      ...LEFT,
      state: '{ left: { type: "decimal(2, 5.00..)", initial: 80.00 }, x: 9.00 }',
      effects: '{ left: state.x - args.m }',
    },
    NONE,
  ],
  ['a state that another step lowers', { ...LEFT, ticks: '{ left: state.left - args.n }' }, left('75.00')],
  ['a state that another step may raise', { ...LEFT, ticks: '{ left: state.left - args.d }' }, NONE],
  ['a state from which another step takes a fee', { ...LEFT, ticks: '{ left: state.left - 1.50 }' }, left('75.00')],
  ['a state to which another step gives some back', { ...LEFT, ticks: '{ left: state.left + 1.50 }' }, left('79.50')],
  ['a state that another step sets', { ...LEFT, ticks: '{ left: 80.00 }' }, NONE],
  [
    'a state that the tool uses up',
    { tool: 'take@1', state: '{ pool: 40.00 }', rules: ['state.pool >= 0.00'] },
    '40.00; 40.00 (the rule `r0`)',
  ],
  // Maps.
  ['a map', { ...MAPPED, ...ADDS, where: KEYS }, '14.00; 14.00 (the map `paid`)'],
  [
    'a map, the other way around',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "args.m + state.paid[args.who]" }' },
    '14.00; 14.00 (the map `paid`)',
  ],
  ['a map of any keys', { ...MAPPED, ...ADDS }, NONE],
  [
    'a map of one key',
    { ...MAPPED, effects: `{ 'paid["a"]': 'state.paid["a"] + args.m' }` },
    '7.00; 7.00 (the map `paid`)',
  ],
  [
    'a map of a key that is a column',
    { ...MAPPED, effects: `{ 'paid[t[args.code].who]': 'state.paid[t[args.code].who] + args.m' }` },
    '21.00; 21.00 (the map `paid`)',
  ],
  ['a map without a limit', { ...ADDS, state: '{ paid: "map(string, decimal(2), default 1.00)" }', where: KEYS }, NONE],
  [
    'a map that a condition limits',
    {
      ...ADDS,
      state: '{ paid: "map(string, decimal(2), default 1.00)" }',
      where: `${KEYS} && state.paid[args.who] + args.m <= 4.00`,
    },
    '6.00; 6.00 (the map `paid`)',
  ],
  [
    'a map that a condition limits more',
    { ...MAPPED, ...ADDS, where: `${KEYS} && args.m + state.paid[args.who] <= 4.00` },
    '4.00; 6.00 (the map `paid`)',
  ],
  [
    'a map that begins above its limit',
    {
      ...ADDS,
      state: '{ paid: "map(string, decimal(2), default 9.00)" }',
      where: `${KEYS} && state.paid[args.who] + args.m <= 4.00`,
    },
    '0.00; 0.00 (the map `paid`)',
  ],
  [
    'a map that a condition limits, the other way around',
    { ...MAPPED, ...ADDS, where: `${KEYS} && 4.00 >= args.m + state.paid[args.who]` },
    '4.00; 6.00 (the map `paid`)',
  ],
  [
    'a map that a condition limits at another key',
    { ...MAPPED, ...ADDS, where: `${KEYS} && state.paid["c"] + args.m <= 4.00` },
    '4.00; 14.00 (the map `paid`)',
  ],
  [
    'a map that is set back',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "state.paid[args.who] + args.m - 1.00" }' },
    NONE,
  ],
  [
    'a map to which another number is added',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "state.paid[args.who] + args.fee" }' },
    NONE,
  ],
  [
    'a map of which another key is read',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "state.paid[args.code] + args.m" }' },
    NONE,
  ],
  [
    'a map from which it is taken',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "state.paid[args.who] - args.m" }' },
    NONE,
  ],
  [
    'a map to which two numbers are added',
    { ...MAPPED, where: KEYS, effects: '{ "paid[args.who]": "state.paid[args.who] + args.m + args.fee" }' },
    NONE,
  ],
  [
    'a map with two changes',
    {
      ...MAPPED,
      where: KEYS,
      effects:
        '{ "paid[args.who]": "state.paid[args.who] + args.m", "paid[args.code]": "state.paid[args.code] + args.m" }',
    },
    NONE,
  ],
  [
    'a map that another step raises',
    { ...MAPPED, ...ADDS, where: KEYS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.n" }' },
    '14.00; 14.00 (the map `paid`)',
  ],
  [
    'a map that another step may lower',
    { ...MAPPED, ...ADDS, where: KEYS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.d" }' },
    NONE,
  ],
  [
    'a map that another step sets',
    { ...MAPPED, ...ADDS, where: KEYS, ticks: '{ "paid[args.who]": "1.00 + 0.00" }' },
    NONE,
  ],
];

test('the most of a number follows from each thing that limits it, and the reason is that', (t) => {
  for (const [what, plan, expected] of CASES) t.is(bound(plan), expected, what);
});
