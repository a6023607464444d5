import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { nameOf } from '../../../../workers/plan/bounds/numbers.ts';
import { numbersOf, rangesOf } from '../../../../workers/plan/bounds/step-ranges.ts';
import { scaleOf } from '../../../../workers/plan/language/types.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { describeAmount } from '../../../../workers/plan/view/words/amount.ts';
import { APPROVED_TABLE, planOf, textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { textOf, useOf } from '../../../models/sheets.ts';

const TOOLS = toolsIn(`tools:
  do@1.0.0:
    args: { n: int, x: int, k: "int(-5..20)", m: decimal(2), low: "decimal(2, -1.50..)", name: string(8) }
    responds: { back: decimal(2), most: "int(..12)", free: int, said: string(8) }
    post: { within: response.back <= 7.00 && response.back >= -1.00 }
`);

const PLAN = planOf(
  `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { f: 3, flag: true, name: "7", odd: "007", minus: "-0" }
state: { s: { type: "int(-2..8)", initial: 0 }, held: "map(string, int(1..9), default 1)", text: { type: string(64), initial: "x" } }
tables:
  t: { key: a, columns: { a: string(8), b: int, c: string(8) }, rows: [{ a: x, b: 4, c: "007" }, { a: y, b: -3, c: "7" }, { a: z, b: 11, c: "" }] }
  none: { key: a, columns: { a: string(8), b: int }, rows: [] }
  far: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), amount: decimal(2), payee: string(64) } }
steps:
  do: { tool: do@1, times: 0..6 }
  other: { tool: do@1, times: 0..6 }
`,
  TOOLS,
);

type Changes = Partial<Pick<PlanDocument, 'constraints' | 'sheets'>>;
type Part = readonly ['arg' | 'resp', string];

/** What a number of the step `do` can be, by its type, a condition and rules. */
function range(where: unknown, part: Part = ['arg', 'n'], changes: Changes = {}, sheets: readonly string[] = []) {
  const [first, ...others] = PLAN.steps;
  const step = { ...defined(first), where: [{ id: 'w', expr: where }] };
  const parts = { tools: textsOf(TOOLS), tables: [APPROVED_TABLE] };
  const plan = readPlan({ ...PLAN, ...changes, steps: [step, ...others] }, sheets, parts);
  const read = defined(plan.steps[0]);
  const number = numbersOf(read).find(({ scope, name }) => scope === part[0] && name === part[1]);
  const { min, max } = defined(rangesOf(read, plan, 'proven').get(nameOf(...part)));
  const write = (limit: bigint | undefined) =>
    limit === undefined ? '' : describeAmount(limit, scaleOf(defined(number).type));
  return `${write(min)}..${write(max)}`;
}

const [N, X, K, M] = ['n', 'x', 'k', 'm'].map((name) => ['arg', name]);
const YES = ['bool', true];
const below = (limit: unknown) => ['<=', N, limit];
const above = (limit: unknown) => ['>=', N, limit];
const not = (condition: unknown) => ['not', condition];
const look = (table: string, column: string) => ['look', table, column, [['arg', 'name']]];
const some = (over: unknown, body: unknown) => ['exists', over, 'r', body];
const ofEach = (body: unknown, step = 'do') => [{ id: 'r', expr: ['forall', step, 'p', body] }];

/** Conditions of the action, and what `args.n` can be, which is a whole number without bounds. */
const CONDITIONS: readonly (readonly [condition: unknown, range: string])[] = [
  [YES, '..'],
  [['<', N, 5], '..4'],
  [['<=', N, 5], '..5'],
  [['>', N, 5], '6..'],
  [['>=', N, 5], '5..'],
  [['=', N, 5], '5..5'],
  [['!=', N, 5], '..'],
  [['<', 5, N], '6..'],
  [['>=', 5, N], '..5'],
  [['=', 5, N], '5..5'],
  [below(['int', '5']), '..5'],
  [below(['dec', '5.75']), '..5'],
  [above(['dec', '5.25']), '6..'],
  [not(['<', N, 5]), '5..'],
  [not(['<=', N, 5]), '6..'],
  [not(['>', N, 5]), '..5'],
  [not(['>=', N, 5]), '..4'],
  [not(['=', N, 5]), '..'],
  [not(not(below(5))), '..5'],
  [not(['and', ['>', N, 9], ['>', N, 7]]), '..9'],
  [not(['or', ['>', N, 9], ['>', N, 7]]), '..7'],
  [not(['and', ['>', N, 9], YES]), '..'],
  [not(['or', ['>', N, 9], YES]), '..9'],
  [not(['iff', ['>', N, 9], YES]), '..'],
  [['and', above(2), below(9)], '2..9'],
  [['and', below(9), below(4), below(6)], '..4'],
  [['and', above(2), above(3), above(1)], '3..'],
  [['or', below(9), below(4)], '..9'],
  [['or', above(2), above(3)], '2..'],
  [['or', above(2), below(9)], '..'],
  [['or', below(9), YES], '..'],
  [['or', YES, below(9)], '..'],
  [['or', above(9), YES], '..'],
  [['ite', YES, below(4), below(9)], '..9'],
  [['ite', YES, below(9), below(4)], '..9'],
  [['ite', below(99), below(4), below(9)], '..9'],
  [['ite', YES, above(4), above(9)], '4..'],
  [['implies', ['>', N, 3], below(9)], '..9'],
  [['implies', ['>', N, 12], below(9)], '..12'],
  [['implies', ['>', N, 12], above(20)], '..'],
  [['implies', YES, below(9)], '..'],
  [['iff', YES, below(9)], '..'],
  [some('other', below(['arg', 'r', 'k'])), '..20'],
  [some('other', above(['arg', 'r', 'k'])), '-5..'],
  [some('other', below(['resp', 'r', 'most'])), '..12'],
  [some('other', below(['arg', 'r', 'x'])), '..'],
  [some(['table', 't'], below(['col', 'r', 'b'])), '..11'],
  [some(['table', 't'], above(['col', 'r', 'b'])), '-3..'],
  [['exists', ['table', 't'], 'q', some('other', below(['col', 'q', 'b']))], '..11'],
  [['forall', ['table', 't'], 'r', below(['col', 'r', 'b'])], '..'],
];

/** Sums and multiples. */
const SUMS: readonly (readonly [condition: unknown, range: string])[] = [
  [['<=', ['+', N, 3], 10], '..7'],
  [['<=', ['+', 3, N], 10], '..7'],
  [['<=', ['+', N, N, 1], 8], '..3'],
  [['>=', ['+', N, N, 1], 8], '4..'],
  [['<=', ['+', N, N], -7], '..-4'],
  [['>=', ['+', N, N], -7], '-3..'],
  [['<=', ['+', N, N], -8], '..-4'],
  [['<=', ['-', N], 10], '-10..'],
  [['>=', ['-', N], 10], '..-10'],
  [['<=', ['-', N, 3], 10], '..13'],
  [['<=', ['-', 3, N], 10], '-7..'],
  [['<=', ['-', N, 3, 4], 10], '..17'],
  [['<=', ['*', 2, N], 9], '..4'],
  [['<=', ['*', N, 2], 9], '..4'],
  [['<=', ['*', -2, N], 9], '-4..'],
  [['>=', ['*', N, ['dec', '-0.5']], 3], '..-6'],
  [['<=', ['*', ['dec', '0.5'], N], 3], '..6'],
  [['<=', ['*', ['dec', '0.05'], N], ['dec', '0.3']], '..6'],
  [['<=', ['*', 0, N], 9], '..'],
  [['=', ['*', 2, N], 9], '5..4'],
  [below(N), '..'],
  [['<=', N, ['-', 20, N]], '..10'],
  [['<=', ['-', N, N], 5], '..'],
  [below(K), '..20'],
  [above(K), '-5..'],
  [['=', N, K], '-5..20'],
  [['<=', ['+', N, K], 10], '..15'],
  [['>=', ['+', N, K], 10], '-10..'],
  [['<=', ['-', N, K], 10], '..30'],
  [['>=', ['-', N, K], 10], '5..'],
  [['<=', ['+', N, X], 10], '..'],
  [below(['*', 2, K]), '..40'],
  [below(['*', K, -2]), '..10'],
  [above(['*', K, -2]), '-40..'],
  [['and', below(X), ['<=', X, 7]], '..7'],
  [['and', ['<=', X, 7], below(X)], '..7'],
  [['and', above(X), ['=', X, 7], below(9)], '7..9'],
];

/** What `args.n` is at most, and at least, where it is compared with a value. */
const VALUES: readonly (readonly [value: unknown, below: string, above: string])[] = [
  [['min', 3, K], '..3', '-5..'],
  [['min', K, 3], '..3', '-5..'],
  [['max', 3, K], '..20', '3..'],
  [['max', K, 3], '..20', '3..'],
  [['min', X, 4], '..4', '..'],
  [['min', 4, X], '..4', '..'],
  [['max', X, 4], '..', '4..'],
  [['max', 4, X], '..', '4..'],
  [['min', 4], '..4', '4..'],
  [['ite', YES, 3, 9], '..9', '3..'],
  [['ite', YES, 9, 3], '..9', '3..'],
  [['ite', YES, 3, X], '..', '..'],
  [['ite', YES, X, 3], '..', '..'],
  [['div', X, 7], '..', '..'],
  [['min', ['+', K, 1, 1], 99], '..22', '-3..'],
  [['min', ['+', K, X], 99], '..99', '..'],
  [['min', ['-', K], 99], '..5', '-20..'],
  [['min', ['-', K, 1, 1], 99], '..18', '-7..'],
  [['min', ['-', 1, K], 99], '..6', '-19..'],
  [['min', ['*', 2, K], 99], '..40', '-10..'],
  [['min', ['*', K, 2], 99], '..40', '-10..'],
  [['var', 'f'], '..3', '3..'],
  [['state', 's'], '..8', '-2..'],
  [['final', 's'], '..8', '-2..'],
  [['at', 'state', 'held', ['arg', 'name']], '..9', '1..'],
  [look('t', 'b'), '..11', '-3..'],
  [look('none', 'b'), '..0', '0..'],
  [look('far', 'amount'), '..100', '51..'],
  [['sum', ['table', 't'], 'r', ['col', 'r', 'b']], '..12', '12..'],
  [['sum', ['table', 'none'], 'r', ['col', 'r', 'b']], '..0', '0..'],
  [['sum', ['table', 't'], 'r', ['col', 'r', 'b'], YES], '..33', '-9..'],
  [['sum', ['table', 'far'], 'r', ['col', 'r', 'amount']], '..150', '151..'],
  [['sum', 'other', 'q', ['arg', 'q', 'k']], '..120', '-30..'],
  [['count', 'other'], '..6', '0..'],
  [['count', ['table', 't']], '..3', '3..'],
  [['least', 'other', 'q', ['arg', 'q', 'k']], '..20', '-5..'],
  [['resp', 'most'], '..12', '..'],
  [['resp', 'free'], '..', '..'],
];

test('conditions bound a number by all that they say, and by nothing more', (t) => {
  for (const [condition, expected] of [...CONDITIONS, ...SUMS]) {
    t.is(rangeUnder(condition), expected, JSON.stringify(condition));
  }
  for (const [value, most, least] of VALUES) {
    t.is(rangeUnder(below(value)), most, `at most ${JSON.stringify(value)}`);
    t.is(rangeUnder(above(value)), least, `at least ${JSON.stringify(value)}`);
  }
});

/** As a condition of the step, or as a rule about its actions where it is about other actions, the end or responses. */
function rangeUnder(condition: unknown): string {
  const isRule = /"other"|"final"|"resp"/.test(JSON.stringify(condition));
  return isRule ? range(YES, ['arg', 'n'], { constraints: ofEach(ofAction(condition)) }) : range(condition);
}

/** The names of the action itself as those of the action `p`. */
function ofAction(expr: unknown): unknown {
  if (!Array.isArray(expr)) return expr;
  const isOwn = expr.length === 2 && (expr[0] === 'arg' || expr[0] === 'resp');
  return isOwn ? [expr[0], 'p', expr[1]] : expr.map(ofAction);
}

test('bounds of decimals are rounded to the decimals of the type, so that no value is left out', (t) => {
  const third = (operator: string, limit: string) => [operator, ['*', 3, M], ['dec', limit]];
  for (const [condition, expected] of [
    [third('<=', '1.00'), '..0.33'],
    [third('<=', '-1.00'), '..-0.34'],
    [third('>=', '1.00'), '0.34..'],
    [third('>=', '-1.00'), '-0.33..'],
    [third('=', '0.99'), '0.33..0.33'],
    [third('<=', '0.99'), '..0.33'],
    [['<=', M, 1234567], '..1,234,567.00'],
    [['>=', M, ['dec', '-1234.5']], '-1,234.50..'],
  ] as const) {
    t.is(range(condition, ['arg', 'm']), expected, JSON.stringify(condition));
  }
});

test('types, promises of tools, rules and sheets bound a number as well', (t) => {
  const sheet = {
    sheet_format: 1,
    name: 's',
    version: '1.0.0',
    title: 'T',
    variables: { v: { type: 'int', min: '-9' }, f: { type: 'int' } },
    constraints: [{ id: 'c', expr: ['and', ['<=', ['var', 'v'], 8], ['<=', ['var', 'v'], ['var', 'f']]] }],
  };
  const use = (scope: string, v: unknown = N) => ({ sheets: [useOf(sheet, scope, { v, f: ['var', 'f'] })] });
  t.is(range(YES, ['arg', 'k']), '-5..20');
  t.is(range(['<=', K, 4], ['arg', 'k']), '-5..4');
  t.is(range(['>=', K, -9], ['arg', 'k']), '-5..20');
  t.is(range(YES, ['arg', 'low']), '-1.50..');
  t.is(range(YES, ['resp', 'back']), '-1.00..7.00');
  t.is(range(YES, ['resp', 'most']), '..12');
  const ours = ofEach(['<=', ['arg', 'p', 'n'], 4]);
  t.is(range(YES, ['arg', 'n'], { constraints: ours }), '..4');
  t.is(range(YES, ['arg', 'n'], { constraints: ofEach(['<=', ['arg', 'p', 'n'], 4], 'other') }), '..');
  t.is(range(YES, ['resp', 'free'], { constraints: ofEach(['<=', ['resp', 'p', 'free'], 4]) }), '..4');
  const both = [{ id: 'r', expr: ['and', ours[0]?.expr, ofEach(['>=', ['arg', 'p', 'n'], 1])[0]?.expr] }];
  t.is(range(YES, ['arg', 'n'], { constraints: both }), '1..4');
  t.is(range(YES, ['arg', 'n'], use('each:do'), [textOf(sheet)]), '-9..3');
  t.is(range(YES, ['arg', 'n'], use('each:other'), [textOf(sheet)]), '..');
  t.is(range(YES, ['arg', 'n'], use('plan', ['count', 'do']), [textOf(sheet)]), '..');
});

test('texts that look like numbers are compared like texts', (t) => {
  const name = ['arg', 'name'];
  for (const other of [['var', 'odd'], ['var', 'minus'], look('t', 'c'), ['state', 'text'], ['str', '007']]) {
    t.is(range(['and', ['=', name, other], below(3)]), '..3', JSON.stringify(other));
  }
});
