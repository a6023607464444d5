import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { nameOf } from '../../../../workers/plan/bounds/numbers.ts';
import { numbersOf, rangesOf, type StepNumber } from '../../../../workers/plan/bounds/step-ranges.ts';
import { boundNumber, type Reason } from '../../../../workers/plan/bounds/total.ts';
import { scaleOf } from '../../../../workers/plan/language/types.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { describeAmount } from '../../../../workers/plan/view/words/amount.ts';
import { planOf, textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { textOf, useOf } from '../../../models/sheets.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..)", fee: "decimal(2, 0..5.00)", loose: decimal(2), back: "decimal(2, -9.00..-1.00)", who: string(8), code: string(8), n: int, x: int, k: "int(-5..20)", low: "decimal(2, -1.50..)" }
    responds: { id: string(64), got: "decimal(2, 0..)", rest: decimal(2), most: "int(..12)", free: int }
    post: { within: response.rest <= 7.00 && response.rest >= -1.00 }
    identity: id
    amounts: args.m in EUR
  tick@1.0.0:
    effect: write
    args: { n: "int(0..)", d: int, k: "int(-5..20)", who: string(8) }
    responds: { id: string(64), most: "int(..12)" }
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
  /** What a sheet is for, and its number `v`. */
  readonly sheet?: readonly [scope: string, v: unknown];
}

const SHEET = {
  sheet_format: 1,
  name: 's',
  version: '1.0.0',
  title: 'T',
  variables: { v: { type: 'int', min: '-9' }, f: { type: 'int' } },
  constraints: [{ id: 'c', expr: ['and', ['<=', ['var', 'v'], 8], ['<=', ['var', 'v'], ['var', 'f']]] }],
};

/** The plan of a case, its step `pay` and a number of it. */
function numberIn(one: Case) {
  const { where = 'true', rules = [], part = ['arg', 'm'], times = '0..4', tool = 'pay@1' } = one;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { flag: true, most: 3, cap: 30.00 }
state: ${one.state ?? '{}'}
tables:
  t: { key: who, columns: { who: string(8), top: decimal(2), odd: decimal(3), b: int }, rows: [{ who: a, top: 7.00, odd: 7.777, b: 4 }, { who: b, top: 9.00, odd: 1.005, b: -3 }, { who: c, top: -4.00, odd: 0.001, b: 11 }] }
  two: { key: [who, code], columns: { who: string(8), code: string(8), top: decimal(2) }, rows: [{ who: a, code: x, top: 7.00 }, { who: a, code: y, top: 9.00 }] }
  none: { key: who, columns: { who: string(8), top: decimal(2), b: int }, rows: [] }
  keyed: { key: n, columns: { n: int, who: string(8), b: int }, rows: [{ n: 5, who: a, b: 1 }, { n: 2, who: b, b: 0 }] }
steps:
  tick: { tool: tick@1, times: 0..3, effects: ${one.ticks ?? '{}'} }
  pay: { tool: ${tool}, times: ${times}, where: ${JSON.stringify(where)}, effects: ${one.effects ?? '{}'} }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
  const sheets = one.sheet === undefined ? [] : [useOf(SHEET, one.sheet[0], { v: one.sheet[1], f: ['var', 'most'] })];
  const read = readPlan({ ...plan, sheets }, [textOf(SHEET)], { tools: textsOf(TOOLS), tables: [] });
  const step = defined(read.steps.find(({ stepId }) => stepId === 'pay'));
  const number = defined(numbersOf(step).find(({ scope, name }) => scope === part[0] && name === part[1]));
  return { plan: read, step, number };
}

const write = (limit: bigint | undefined, { type }: StepNumber, none: string) =>
  limit === undefined ? none : describeAmount(limit, scaleOf(type));

/** What a number can be in one action. */
function rangeOf(one: Case): string {
  const { plan, step, number } = numberIn(one);
  const { min, max } = defined(rangesOf(step, plan, 'proven').get(nameOf(number.scope, number.name)));
  return `${write(min, number, '')}..${write(max, number, '')}`;
}

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

const LOOSE = ['arg', 'loose'] as const;
/** Conditions of the action, or rules, and what a number can be: `args.n`, which is a whole number without bounds, or another. */
const RANGES: readonly (readonly [condition: string, range: string, part?: Case['part']])[] = [
  ['flag', '..'],
  ['args.n <= 5', '..5'],
  ['args.n > 5', '6..'],
  ['args.n >= 5', '5..'],
  ['args.n == 5', '5..5'],
  ['args.n != 5', '..'],
  ['5 >= args.n', '..5'],
  ['5 < args.n', '6..'],
  ['args.n <= 5.75', '..5'],
  ['args.n >= 5.25', '6..'],
  ['!(args.n < 5)', '5..'],
  ['!(args.n <= 5)', '6..'],
  ['!(args.n == 5)', '..'],
  ['!(args.n > 9 || args.n > 7)', '..7'],
  ['!(args.n > 9 == (flag))', '..'],
  ['args.n <= 9 || args.n <= 4', '..9'],
  ['args.n >= 2 || args.n <= 9', '..'],
  ['flag ? args.n <= 4 : args.n <= 9', '..9'],
  ['args.n <= 99 ? args.n <= 4 : args.n <= 9', '..9'],
  ['!(args.n > 3) || args.n <= 9', '..9'],
  ['!(args.n > 12) || args.n <= 9', '..12'],
  ['pay.all(p, tick.exists(r, p.n <= r.k))', '..20'],
  ['pay.all(p, tick.exists(r, p.n <= r.most))', '..12'],
  ['t.exists(r, args.n <= r.b)', '..11'],
  ['pay.all(p, t.exists(q, tick.exists(r, p.n <= q.b)))', '..11'],
  ['t.all(r, args.n <= r.b)', '..'],
  ['args.n + 3 <= 10', '..7'],
  ['args.n + args.n + 1 <= 8', '..3'],
  ['args.n + args.n + 1 >= 8', '4..'],
  ['args.n + args.n <= -7', '..-4'],
  ['args.n + args.n >= -7', '-3..'],
  ['-args.n <= 10', '-10..'],
  ['3 - args.n <= 10', '-7..'],
  ['2 * args.n <= 9', '..4'],
  ['-2 * args.n <= 9', '-4..'],
  ['args.n * -0.5 >= 3', '..-6'],
  ['0.05 * args.n <= 0.3', '..6'],
  ['args.n <= 20 - args.n', '..10'],
  ['args.n - args.n <= 5', '..'],
  ['args.n <= args.k', '..20'],
  ['args.n >= args.k', '-5..'],
  ['args.n == args.k', '-5..20'],
  ['args.n + args.k <= 10', '..15'],
  ['args.n - args.k <= 10', '..30'],
  ['args.n + args.x <= 10', '..'],
  ['args.n <= args.x && args.x <= 7', '..7'],
  ['args.n >= args.x && args.x == 7 && args.n <= 9', '7..9'],
  // Bounds of decimals are rounded to the decimals of the type, so that no value is left out.
  ['3 * args.loose <= 1.00', '..0.33', LOOSE],
  ['3 * args.loose <= -1.00', '..-0.34', LOOSE],
  ['3 * args.loose >= 1.00', '0.34..', LOOSE],
  ['3 * args.loose >= -1.00', '-0.33..', LOOSE],
  ['3 * args.loose == 0.99', '0.33..0.33', LOOSE],
  // Types, promises of tools, and rules for each action.
  ['flag', '-5..20', ['arg', 'k']],
  ['args.k <= 4', '-5..4', ['arg', 'k']],
  ['args.k >= -9', '-5..20', ['arg', 'k']],
  ['flag', '-1.50..', ['arg', 'low']],
  ['flag', '-1.00..7.00', ['resp', 'rest']],
  ['pay.all(p, p.n <= 4) && pay.all(p, p.n >= 1)', '1..4'],
  ['tick.all(p, p.n <= 4)', '..'],
  ['pay.all(p, p.free <= 4)', '..4', ['resp', 'free']],
];

/** What `args.n` is at most, and at least, where it is compared with a value. */
const VALUES: readonly (readonly [value: string, most: string, least: string])[] = [
  ['min(3, args.k)', '..3', '-5..'],
  ['max(3, args.k)', '..20', '3..'],
  ['min(args.x, 4)', '..4', '..'],
  ['max(args.x, 4)', '..', '4..'],
  ['flag ? 3 : 9', '..9', '3..'],
  ['flag ? 3 : args.x', '..', '..'],
  ['count(tick) / 2', '..1', '0..'],
  ['min(-args.k, 99)', '..5', '-20..'],
  ['min(2 * args.k, 99)', '..40', '-10..'],
  ['most', '..3', '3..'],
  ['state.s', '..0', '0..'],
  ['p.n - p.n + state.s', '..0', '0..'],
  ['state.held[args.who]', '..9', '1..'],
  ['t[args.who].b', '..11', '-3..'],
  ['none[args.who].b', '..0', '0..'],
  ['t[args.who].odd', '..7', '1..'],
  ['sum(t, r, r.b)', '..12', '12..'],
  ['sum(t, r, r.b, flag)', '..33', '-9..'],
  ['sum(t, r, r.odd)', '..8', '9..'],
  ['sum(tick, q, q.k)', '..60', '-15..'],
  ['count(tick)', '..3', '0..'],
  ['count(t)', '..3', '3..'],
  ['least(tick, q, q.k)', '..20', '-5..'],
  ['p.most', '..12', '..'],
];

test('conditions and rules bound a number by all that they say, and by nothing more', (t) => {
  const state = '{ s: { type: "int(-2..8)", initial: 0 }, held: "map(string, int(1..9), default 1)" }';
  const values = VALUES.flatMap(([value, most, least]) => {
    const isOfRun = /tick|p\.|count/.test(value);
    const comparison = (op: string) => (isOfRun ? `pay.all(p, p.n ${op} ${value})` : `args.n ${op} (${value})`);
    return [[comparison('<='), most] as const, [comparison('>='), least] as const];
  });
  for (const [condition, expected, part = ['arg', 'n'] as const] of [...RANGES, ...values]) {
    const one = /^(pay|tick)\./.test(condition) ? { rules: [condition] } : { where: condition };
    t.is(rangeOf({ ...one, part, state }), expected, condition);
  }
  // A state is at most what actions can make of where it begins.
  for (const [effect, expected] of [
    ['state.s + 1', '..4'],
    ['state.s - 1', '..0'],
    ['state.s + args.k', '..8'],
    ['state.s + args.n', '..8'],
    ['state.s - args.n', '..0'],
    ['state.s + state.s', '..8'],
    ['7', '..8'],
  ] as const) {
    const one = { where: 'args.n <= state.s', part: ['arg', 'n'], state } as const;
    const isOfTick = effect.includes('args.n');
    const changed = isOfTick ? { ticks: `{ s: ${effect} }` } : { effects: `{ s: ${effect} }` };
    t.is(rangeOf({ ...one, ...changed }), expected, effect);
  }
  // A key is one of those of the rows that must be there.
  for (const [more, expected] of [
    [{ where: 'args.n in keyed' }, '2..5'],
    [{ where: 'args.who == keyed[args.n].who' }, '2..5'],
    [{ where: 'args.who != keyed[args.n].who' }, '2..5'],
    [{ where: 'flag || args.n in keyed' }, '..'],
    [{ effects: '{ s: "state.s + keyed[args.n].b" }' }, '2..5'],
    [{ effects: '{ "held[args.who]": "keyed[args.n].b" }' }, '2..5'],
  ] as const) {
    t.is(rangeOf({ ...more, part: ['arg', 'n'], state }), expected, JSON.stringify(more));
  }
  const sheets = (['each:pay', 'each:tick', 'plan'] as const).map((scope) =>
    rangeOf({ part: ['arg', 'n'], sheet: [scope, scope === 'plan' ? ['count', 'pay'] : ['arg', 'n']] }),
  );
  t.deepEqual(sheets, ['-9..3', '..', '..']);
});

const ONCE = ['unique(pay, p, p.who)'];
const BOTH = ['unique(pay, p, [p.who, p.code])'];
const TWO = 'args.m <= two[[args.who, args.code]].top';
const TOP = 'args.m <= t[args.who].top';
const MAPPED = { state: '{ paid: "map(string, decimal(2, 0..8.00), default 1.00)" }' };
const ANY_MAP = { state: '{ paid: "map(string, decimal(2), default 1.00)" }' };
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
  [{ where: 'args.m <= none[args.who].top' }, byTimes('0.00', '0.00')],
  [{ where: TOP, rules: ONCE }, rows('9.00', '16.00')],
  [{ where: 't[args.who].top > args.m', rules: ONCE }, rows('8.99', '15.98')],
  [{ where: TOP, rules: ONCE, times: '0..1' }, '9.00; 9.00 (1 times the most of one action)'],
  [{ where: TOP, rules: ONCE, times: '0..2' }, rows('9.00', '16.00')],
  [{ where: 'args.m <= 100 * t[args.who].odd', rules: ONCE, times: '0..2' }, rows('777.70', '878.20')],
  [{ where: 'args.m <= 2 * t[args.who].top', rules: ONCE }, rows('18.00', '32.00')],
  [{ where: 'args.m <= t[args.who].top * 0.5', rules: ONCE }, rows('4.50', '8.00')],
  [{ where: 'args.m <= 0 * t[args.who].top', rules: ONCE }, three('0.00', '0.00')],
  [{ where: 'args.m <= -1 * t[args.who].top', rules: ONCE }, three('4.00', '12.00')],
  [{ where: 'args.m <= t[args.who].odd', rules: ONCE }, rows('7.77', '8.77')],
  [{ where: 'args.m <= min(t[args.who].top, 8.00)', rules: ONCE }, rows('8.00', '16.00')],
  [{ where: 'args.m <= min(t[args.who].odd, t[args.who].top)', rules: ONCE }, rows('7.77', '8.77')],
  [{ where: 'args.m <= max(t[args.who].odd, t[args.who].top)', rules: ONCE }, three('9.00', '27.00')],
  [{ where: 'args.m <= t[args.who].top + 1.00', rules: ONCE }, three('10.00', '30.00')],
  [{ where: 'args.m <= t["a"].top && args.who in t', rules: ONCE }, three('9.00', '27.00')],
  [{ where: TWO, rules: ONCE }, '9.00; 9.00 (1 times the most of one action)'],
  [{ where: TWO, rules: BOTH }, rows('9.00', '16.00')],
  [{ where: TOP, rules: BOTH }, byTimes('9.00', '36.00')],
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
  [PAID('state.paid[args.who] + args.m'), map('14.00')],
  [PAID('args.m + state.paid[args.who]'), map('14.00')],
  [{ ...PAID('state.paid[args.who] + args.m'), where: 'true' }, NONE],
  [{ ...MAPPED, effects: `{ 'paid["a"]': 'state.paid["a"] + args.m' }` }, map('7.00')],
  [{ ...MAPPED, effects: `{ 'paid[t[args.code].who]': 'state.paid[t[args.code].who] + args.m' }` }, map('21.00')],
  [{ ...ADDS, ...ANY_MAP }, NONE],
  [{ ...ADDS, ...ANY_MAP, where: `${KEYS} && state.paid[args.who] + args.m <= 4.00` }, map('6.00')],
  [{ ...ADDS, where: `${KEYS} && args.m + state.paid[args.who] <= 4.00` }, map('6.00', '4.00')],
  [{ ...ADDS, where: `${KEYS} && 4.00 >= args.m + state.paid[args.who]` }, map('6.00', '4.00')],
  [{ ...ADDS, where: `${KEYS} && state.paid[args.who] + args.m < 4.00` }, map('5.98', '3.99')],
  [{ ...ADDS, where: `${KEYS} && state.paid["c"] + args.m <= 4.00` }, map('14.00', '4.00')],
  [{ ...ADDS, ...ANY_MAP, where: `${KEYS} && state.paid[args.who] + args.m <= -4.00` }, map('0.00')],
  [PAID('state.paid[args.who] + args.m - 1.00'), NONE],
  [PAID('state.paid[args.who] + args.fee'), NONE],
  [PAID('state.paid[args.code] + args.m'), NONE],
  [PAID('state.paid[args.who] + args.m + args.fee'), NONE],
  [PAID('state.paid[args.who] + args.m", "paid[args.code]": "state.paid[args.code] + args.m'), NONE],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.n" }' }, map('14.00')],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "state.paid[args.who] + args.d" }' }, NONE],
  [{ ...ADDS, ticks: '{ "paid[args.who]": "1.00 + 0.00" }' }, NONE],
];

test('the most of a number follows from each thing that limits it, and the reason is that', (t) => {
  for (const [plan, expected] of CASES) t.is(bound(plan), expected, JSON.stringify(plan));
});
