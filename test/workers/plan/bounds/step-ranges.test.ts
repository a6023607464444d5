import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { nameOf } from '../../../../workers/plan/bounds/numbers.ts';
import { rangesOf } from '../../../../workers/plan/bounds/step-ranges.ts';
import { type Case, numberIn, write } from './number-case.ts';

/** What a number can be in one action. */
function rangeOf(one: Case, runs: 'open' | 'proven' = 'proven'): string {
  const { plan, step, number } = numberIn(one);
  const { min, max } = defined(rangesOf(step, plan, runs).get(nameOf(number.scope, number.name)));
  return `${write(min, number, '')}..${write(max, number, '')}`;
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
  ['args.n <= 99 ? args.n <= 4 : args.n <= 9', '..4'],
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
  ['keyed[args.n].b * args.x >= 0', '2..5'],
  ['args.n == args.k * args.k', '0..400'],
  ['args.n <= args.k * most * 2', '..120'],
  ['args.n >= args.k * args.x', '..'],
  ['args.n + args.k <= 10', '..15'],
  ['args.n - args.k <= 10', '..30'],
  ['args.n + args.x <= 10', '..'],
  ['args.n <= args.x && args.x <= 7', '..7'],
  // Each value of an argument is tried, with the rows that it is the key of. What cannot be true leaves nothing.
  ['args.n == t[args.who].b && t[args.who].b < 10', '-3..4'],
  ['args.n <= 6 && args.n >= args.k && args.k in [3, 7]', '3..3', ['arg', 'k']],
  ['args.n == args.k && (args.k == 3 || args.k in keyed) && keyed[args.k].b == 1', '5..5'],
  ['args.n <= 4 || most > 5', '..4'],
  ['args.n <= 4 || false', '..4'],
  ['args.n <= 4 || t.exists(r, r.b > 11)', '..4'],
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
  // Conditions of the tool are not asked of an act without a response.
  const ofTool = ['..', '-1.00..7.00'].map(
    (expected, index) => [index === 0 ? {} : { outcomes: 'done' }, expected] as const,
  );
  for (const [one, expected] of ofTool) t.is(rangeOf({ ...one, part: ['resp', 'rest'], state }), expected);
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
    const changed = { [effect.includes('args.n') ? 'ticks' : 'effects']: `{ s: ${effect} }` };
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
  // Of actions that may follow, keys that contradict each other are left to the conditions.
  const apart = { where: 'args.k in keyed && args.k in far', part: ['arg', 'k'] } as const;
  t.deepEqual([rangeOf(apart, 'open'), rangeOf(apart)], ['2..5', '9..5']);
  const sheets = (['each:pay', 'each:tick', 'plan'] as const).map((scope) =>
    rangeOf({ part: ['arg', 'n'], sheet: [scope, scope === 'plan' ? ['count', 'pay'] : ['arg', 'n']] }),
  );
  t.deepEqual(sheets, ['-9..3', '..', '..']);
});
