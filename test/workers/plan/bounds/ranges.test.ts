import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { nameOf } from '../../../../workers/plan/bounds/numbers.ts';
import { numbersOf, rangesOf } from '../../../../workers/plan/bounds/step-ranges.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { describeAmount, scaleOf } from '../../../../workers/plan/view/words/amount.ts';
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
given: { f: 3 }
state: { s: { type: "int(-2..8)", initial: 0 }, held: "map(string, int(1..9), default 1)" }
tables:
  t: { key: a, columns: { a: string(8), b: int }, rows: [{ a: x, b: 4 }, { a: y, b: -3 }, { a: z, b: 11 }] }
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
  [['<=', N, 5], '..5'],
  [['>', N, 5], '6..'],
  [['>=', N, 5], '5..'],
  [['=', N, 5], '5..5'],
  [['!=', N, 5], '..'],
  [below(['dec', '5.75']), '..5'],
  [above(['dec', '5.25']), '6..'],
  [not(['<', N, 5]), '5..'],
  [not(['<=', N, 5]), '6..'],
  [not(['=', N, 5]), '..'],
  [not(['or', ['>', N, 9], ['>', N, 7]]), '..7'],
  [not(['iff', ['>', N, 9], YES]), '..'],
  [['or', below(9), below(4)], '..9'],
  [['or', above(2), below(9)], '..'],
  [['ite', YES, below(4), below(9)], '..9'],
  [['ite', below(99), below(4), below(9)], '..9'],
  [['implies', ['>', N, 3], below(9)], '..9'],
  [['implies', ['>', N, 12], below(9)], '..12'],
  [some('other', below(['arg', 'r', 'k'])), '..20'],
  [some('other', below(['resp', 'r', 'most'])), '..12'],
  [some(['table', 't'], below(['col', 'r', 'b'])), '..11'],
  [['exists', ['table', 't'], 'q', some('other', below(['col', 'q', 'b']))], '..11'],
  [['forall', ['table', 't'], 'r', below(['col', 'r', 'b'])], '..'],
];

/** Sums and multiples. */
const SUMS: readonly (readonly [condition: unknown, range: string])[] = [
  [['<=', ['+', N, 3], 10], '..7'],
  [['<=', ['+', N, N, 1], 8], '..3'],
  [['>=', ['+', N, N, 1], 8], '4..'],
  [['<=', ['+', N, N], -7], '..-4'],
  [['>=', ['+', N, N], -7], '-3..'],
  [['<=', ['-', N], 10], '-10..'],
  [['<=', ['-', 3, N], 10], '-7..'],
  [['<=', ['*', 2, N], 9], '..4'],
  [['<=', ['*', -2, N], 9], '-4..'],
  [['>=', ['*', N, ['dec', '-0.5']], 3], '..-6'],
  [['<=', ['*', ['dec', '0.05'], N], ['dec', '0.3']], '..6'],
  [['<=', N, ['-', 20, N]], '..10'],
  [['<=', ['-', N, N], 5], '..'],
  [below(K), '..20'],
  [above(K), '-5..'],
  [['=', N, K], '-5..20'],
  [['<=', ['+', N, K], 10], '..15'],
  [['<=', ['-', N, K], 10], '..30'],
  [['<=', ['+', N, X], 10], '..'],
  [['and', below(X), ['<=', X, 7]], '..7'],
  [['and', above(X), ['=', X, 7], below(9)], '7..9'],
];

/** What `args.n` is at most, and at least, where it is compared with a value. */
const VALUES: readonly (readonly [value: unknown, below: string, above: string])[] = [
  [['min', 3, K], '..3', '-5..'],
  [['max', 3, K], '..20', '3..'],
  [['min', X, 4], '..4', '..'],
  [['max', X, 4], '..', '4..'],
  [['ite', YES, 3, 9], '..9', '3..'],
  [['ite', YES, 3, X], '..', '..'],
  [['div', X, 7], '..', '..'],
  [['min', ['-', K], 99], '..5', '-20..'],
  [['min', ['*', 2, K], 99], '..40', '-10..'],
  [['var', 'f'], '..3', '3..'],
  [['state', 's'], '..8', '-2..'],
  [['final', 's'], '..8', '-2..'],
  [['at', 'state', 'held', ['arg', 'name']], '..9', '1..'],
  [look('t', 'b'), '..11', '-3..'],
  [look('none', 'b'), '..0', '0..'],
  [look('far', 'amount'), '..100', '51..'],
  [['sum', ['table', 't'], 'r', ['col', 'r', 'b']], '..12', '12..'],
  [['sum', ['table', 't'], 'r', ['col', 'r', 'b'], YES], '..33', '-9..'],
  [['sum', ['table', 'far'], 'r', ['col', 'r', 'amount']], '..150', '151..'],
  [['sum', 'other', 'q', ['arg', 'q', 'k']], '..120', '-30..'],
  [['count', 'other'], '..6', '0..'],
  [['count', ['table', 't']], '..3', '3..'],
  [['least', 'other', 'q', ['arg', 'q', 'k']], '..20', '-5..'],
  [['resp', 'most'], '..12', '..'],
];

test('conditions bound a number by all that they say, and by nothing more', (t) => {
  const values = VALUES.flatMap(([value, most, least]) => [
    [below(value), most] as const,
    [above(value), least] as const,
  ]);
  for (const [condition, expected] of [...CONDITIONS, ...SUMS, ...values]) {
    for (const each of [condition, mirrored(condition)]) t.is(rangeUnder(each), expected, JSON.stringify(each));
  }
});

const SAME = ['=', '+', '*', 'min', 'max', 'and', 'or'].map((op) => [op, op] as const);
const MIRRORED = new Map<unknown, string>([['<', '>'], ['>', '<'], ['<=', '>='], ['>=', '<='], ...SAME]);

/** The same with the operands of each operator the other way around, where that means the same. */
function mirrored(expr: unknown): unknown {
  if (!Array.isArray(expr)) return expr;
  const [op, ...operands] = expr.map(mirrored);
  const other = MIRRORED.get(op);
  return other === undefined ? [op, ...operands] : [other, ...operands.toReversed()];
}

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
  const is = (part: Part, expected: string, changes: Changes = {}, condition: unknown = YES) =>
    t.is(range(condition, part, changes, [textOf(sheet)]), expected, JSON.stringify([condition, part, changes]));
  is(['arg', 'k'], '-5..20');
  is(['arg', 'k'], '-5..4', {}, ['<=', K, 4]);
  is(['arg', 'k'], '-5..20', {}, ['>=', K, -9]);
  is(['arg', 'low'], '-1.50..');
  is(['resp', 'back'], '-1.00..7.00');
  const own = ['arg', 'p', 'n'];
  is(['arg', 'n'], '..4', { constraints: ofEach(['<=', own, 4]) });
  is(['arg', 'n'], '..', { constraints: ofEach(['<=', own, 4], 'other') });
  is(['resp', 'free'], '..4', { constraints: ofEach(['<=', ['resp', 'p', 'free'], 4]) });
  const both = [ofEach(['<=', own, 4]), ofEach(['>=', own, 1])].map(([rule]) => rule?.expr);
  is(['arg', 'n'], '1..4', { constraints: [{ id: 'r', expr: ['and', ...both] }] });
  is(['arg', 'n'], '-9..3', use('each:do'));
  is(['arg', 'n'], '..', use('each:other'));
  is(['arg', 'n'], '..', use('plan', ['count', 'do']));
});
