import test from 'ava';
import {
  argumentOf,
  asOwn,
  conjunctsOf,
  equalTo,
  equatesEvidence,
  isPart,
} from '../../../../workers/plan-view/parts/expression.ts';
import { lookUpOf } from '../../../../workers/plan-view/parts/look-ups.ts';
import {
  conditionsOf,
  constantText,
  isChanged,
  readParts,
  readRows,
  rulesOf,
  statesRead,
} from '../../../../workers/plan-view/parts/plan-parts.ts';
import { APPROVED_TABLE, planOf, planText, TOOLS } from '../../../models/plan-texts.ts';

const A = ['arg', 'a'];
const AGGREGATES = ['forall', 'exists', 'count', 'sum', 'least', 'greatest', 'unique'];
const look = (...keys: readonly unknown[]) => ['look', 't', 'c', keys];

test('an expression is taken apart only where it has the form that is asked for', (t) => {
  for (const [made, wanted] of [
    [conjunctsOf(['and', 1, ['and', 2, ['or', 3, 4]]]), [1, 2, ['or', 3, 4]]],
    [conjunctsOf(['or', 1, 2]), [['or', 1, 2]]],
    [isPart(A, ['arg', 'a']), true],
    [isPart(A, ['arg', 'b']), false],
    [isPart(A, ['resp', 'a']), false],
    [isPart(['arg', 'a', 'a'], ['arg', 'a']), false],
    [argumentOf(A), 'a'],
    [argumentOf(['arg', 'p', 'a']), undefined],
    [argumentOf(['arg', 1]), undefined],
    [argumentOf(['resp', 'a']), undefined],
    [equalTo(['=', A, 1], 'a'), 1],
    [equalTo(['=', 1, A], 'a'), 1],
    [equalTo(['=', 1, A], 'b'), undefined],
    [equalTo(['!=', A, 1], 'a'), undefined],
    [asOwn(['<', ['arg', 'p', 'a'], ['resp', 'p', 'b']], 'p'), ['<', A, ['resp', 'b']]],
    [asOwn(['<', ['started', 'p'], ['ended', 'p']], 'p'), ['<', ['started'], ['ended']]],
    [asOwn(['<', ['started', 'q'], ['arg', 'q', 'a']], 'p'), ['<', ['started', 'q'], ['arg', 'q', 'a']]],
    [asOwn(['arg', 'p'], 'p'), ['arg', 'p']],
    [asOwn(['col', 'p', 'a'], 'p'), ['col', 'p', 'a']],
    [asOwn(7, 'p'), 7],
    [lookUpOf(look(A), 'a'), { table: 't', position: 0 }],
    [lookUpOf(look(1, A), 'a'), { table: 't', position: 1 }],
    [lookUpOf(['+', 1, look(A)], 'a'), { table: 't', position: 0 }],
    [lookUpOf(look(look(A)), 'a'), { table: 't', position: 0 }],
    [lookUpOf(look(A), 'b'), undefined],
    [lookUpOf(A, 'a'), undefined],
    [lookUpOf(7, 'a'), undefined],
    ...['ite', 'and', 'or', 'implies', 'iff', 'not', ...AGGREGATES].map((operator) => [
      lookUpOf(['=', [operator, look(A)], 1], 'a'),
      undefined,
    ]),
  ] as readonly (readonly [unknown, unknown])[])
    t.deepEqual(made, wanted);
});

test('evidence equates a part only by sums in which it is once', (t) => {
  const [ev, arg] = [
    ['ev', 'n'],
    ['arg', 'm'],
  ];
  const isWanted = ([of, name]: readonly unknown[]) => of === 'arg' && name === 'm';
  for (const [one, other, isEquated] of [
    [ev, arg, true],
    [arg, ev, true],
    [ev, ['arg', 'x'], false],
    [ev, ev, false],
    [arg, arg, false],
    [ev, 1, false],
    [1, arg, false],
    [ev, ['+', arg, 1], true],
    [ev, ['-', 1, arg], true],
    [['+', ev, ['ev', 'k']], arg, true],
    [['+', ev, ev], arg, false],
    [['+', ev, ['ev', 'k']], ['+', arg, ['arg', 'x']], false],
    [['+', ev, ['arg', 'x']], arg, false],
    [ev, ['*', 2, arg], true],
    [ev, ['*', arg, ['dec', '0.10']], true],
    [ev, ['*', ['int', '10'], arg], true],
    ...[0, ['int', '0'], ['dec', '0.00'], ['dec', '-0.0']].map((zero) => [ev, ['*', zero, arg], false] as const),
    [ev, ['min', arg, 1], false],
    [ev, ['div', arg, 2], false],
    [ev, ['ite', ['bool', true], arg, ev], false],
    [['*', 100, ev], ['-', ['*', 100, arg], 5], true],
    [['-', ev, arg], ['-', ev, arg], false],
    [['-', ev, ev], ['-', arg, arg], false],
    [ev, ['+', arg, ['state', 's']], false],
    [ev, ['+', arg, ['at', 'state', 's', 1]], false],
    [ev, ['+', arg, ['started']], false],
    [ev, ['+', arg, ['var', 'cap']], true],
    [['min', ev, 1], arg, false],
  ] as const) {
    t.is(equatesEvidence(['=', one, other], isWanted), isEquated, JSON.stringify([one, other]));
  }
  t.false(equatesEvidence(['<=', ev, arg], isWanted));
  t.false(equatesEvidence(['or', ['=', ev, arg]], isWanted));
});

const context = { tools: TOOLS, tables: [APPROVED_TABLE], sheets: [] };
const partsOf = (rules: readonly string[] = [], where?: string) =>
  readParts(planOf(planText(rules, where === undefined ? {} : { where: JSON.stringify(where) })), context);

test('tables have the rows of the text with their hash', (t) => {
  const { plan } = partsOf();
  t.deepEqual(readRows(plan, []).get('approved'), undefined);
  t.deepEqual(readRows(plan, []).get('pairs')?.length, 1);
  const other = { sha256: '0'.repeat(64), text: '{}' };
  t.deepEqual(
    readRows(plan, [other, APPROVED_TABLE])
      .get('approved')
      ?.map(({ invoice }) => invoice),
    ['A1', 'B2'],
  );
  for (const text of ['null', '[1]', '7', '"x"', '{}\n\n7\n']) {
    t.throws(() => readRows(plan, [{ ...APPROVED_TABLE, text }]), { message: 'a row is not an object' }, text);
  }
});

test('tools are those whose description is here', (t) => {
  const { plan, tools } = partsOf();
  t.deepEqual([...tools.keys()].toSorted(), ['bank.pay@2.3.1', 'look@1.0.0', 'mail.send@1.0.0']);
  t.deepEqual([...readParts(plan, { ...context, tools: TOOLS.slice(0, 1) }).tools.keys()], ['look@1.0.0']);
});

test('rules and conditions are split at each "and", and a rule of each action is a condition', (t) => {
  const parts = partsOf(
    ['a: flag && count(pay) <= 3', 'b: pay.all(p, p.payee == "x" && p.invoice == "y")', 'c: mail.all(m, m.to == "z")'],
    'args.amount > 0.00 && args.amount < 5.00',
  );
  t.is(rulesOf(parts).length, 4);
  t.deepEqual(
    parts.plan.steps.map((step) => conditionsOf(step, parts)),
    [
      [],
      [
        ['>', ['arg', 'amount'], ['dec', '0.00']],
        ['<', ['arg', 'amount'], ['dec', '5.00']],
        ['=', ['arg', 'payee'], ['str', 'x']],
        ['=', ['arg', 'invoice'], ['str', 'y']],
      ],
      [['=', ['arg', 'to'], ['str', 'z']]],
    ],
  );
});

test('states that something reads, or changes, are known', (t) => {
  const read = (rules: readonly string[], where?: string) =>
    ['left', 'sent'].filter((state) => statesRead(partsOf(rules, where)).has(state));
  t.deepEqual(read([]), []);
  t.deepEqual(read(['r: state.left >= 0.00']), ['left']);
  t.deepEqual(read([], 'args.amount <= state.left'), ['left']);
  t.deepEqual(read(['r: state.sent["a"] <= 1']), ['sent']);
  t.deepEqual(
    ['left', 'sent', 'other'].filter((state) => isChanged(state, partsOf())),
    ['left', 'sent'],
  );
});

test('a text is constant if it is written or given', (t) => {
  const parts = partsOf();
  for (const [expr, text] of [
    [['str', 'a'], 'a'],
    [['enum', 'a'], 'a'],
    [['var', 'name'], 'x'],
    [['var', 'cap'], '25.00'],
    [['var', 'flag'], undefined],
    [['var', 'gone'], undefined],
    [['arg', 'a'], undefined],
    [['str', 7], undefined],
    [7, undefined],
  ] as const) {
    t.is(constantText(expr, parts), text, JSON.stringify(expr));
  }
});
