import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import type { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { readSheet } from '../../../../workers/plan/read/read-sheet.ts';
import type { SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { checkSheet } from '../../../../workers/verdict/sheets/check-sheet.ts';
import { composeSheets } from '../../../../workers/verdict/sheets/compose-sheets.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { fc } from '../../../kit/fast-check.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { EVERY_TYPE, SPEND_CAP } from '../../../models/sheets.ts';
import { documentOf, isClash, restrictedTo, tinySheets, tryAll } from './tiny-sheets.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const AS = { name: 'both', version: '1.0.0', title: 'Both' };
const RUNS = 28;

const compose = (...sheets: readonly object[]) => composeSheets(sheets as readonly SheetDocument[], AS, by);

test('composes as brute force does, and each outcome is frequent', (t) => {
  const counts = { conflict: 0, consistent: 0, redundant: 0 };
  fc.assert(
    fc.property(tinySheets, (sheets) => {
      const { outcome, core, ...answer } = compose(...sheets.map(documentOf));
      if (isClash(sheets)) return t.deepEqual(core, ['one@1.0.0#variables/u', 'two@1.0.0#variables/u']);
      const expected = tryAll(sheets);
      t.is(outcome, expected.witness === undefined ? 'conflict' : 'consistent');
      if (expected.witness === undefined) {
        counts.conflict += 1;
        const outcomes = [core, ...core.map((id) => core.filter((other) => other !== id))].map(
          (formulas) => compose(...restrictedTo(sheets, formulas)).outcome,
        );
        return t.deepEqual(outcomes, ['conflict', ...core.map(() => 'consistent')], core.join(' '));
      }
      counts.consistent += 1;
      counts.redundant += Number(expected.redundant.length > 0);
      t.deepEqual(core, []);
      t.deepEqual(Object.entries(defined(answer.witness ?? undefined)), expected.witness);
      t.deepEqual(answer.redundant, expected.redundant);
      return t.is(readSheet(answer.sheet).rules.length, sheets.flatMap(({ rules }) => rules).length);
    }),
    { numRuns: RUNS, seed: 1 },
  );
  for (const [what, count] of Object.entries(counts)) t.true(count >= 0.15 * RUNS, `${what}: ${count} of ${RUNS}`);
});

const sheet = (name: string, variables: object, ...rules: readonly unknown[]) => ({
  sheet_format: 1,
  name,
  version: '1.0.0',
  title: name,
  variables,
  constraints: rules.map((expr, index) => ({ id: `r${index}`, expr })),
});
const V = ['var', 'v'];

test('a number of 38 digits is found exactly', (t) => {
  const digits = '12345678901234567890123456789012345678';
  const above = sheet('above', { v: { type: 'int' } }, ['>', V, ['int', digits]]);
  const odd = sheet('odd', { v: { type: 'int' } }, ['=', ['-', V, ['*', 7, ['div', V, 7]]], 3]);
  const least = BigInt(digits) + 1n;
  const answer = compose(above, odd);
  t.deepEqual(answer.witness, { v: `${least + ((10n - (least % 7n)) % 7n)}` });
});

test('a composed sheet has the bounds that its sheets have, and no others', (t) => {
  for (const type of [
    { type: 'int' },
    { type: 'int', min: '-3' },
    { type: 'decimal', scale: 2, max: '9.50' },
    { type: 'decimal', scale: 2, min: '0.00', max: '9.50' },
    { type: 'bool' },
  ]) {
    t.deepEqual(compose(sheet('a', { v: type }, ['=', V, V])).sheet?.variables, { v: type });
  }
});

test('the bounds of types are intersected, and a core names the types that it needs', (t) => {
  const [low, high] = [
    { type: 'int', max: 4 },
    { type: 'int', min: 2 },
  ];
  const answer = compose(sheet('a', { v: low }, ['!=', V, 3]), sheet('b', { v: high }, ['!=', V, 4]));
  t.deepEqual(answer.witness, { v: '2' });
  t.deepEqual(answer.sheet?.variables, { v: { type: 'int', min: '2', max: '4' } });
  const none = compose(sheet('a', { v: low }, ['!=', V, 3]), sheet('b', { v: high }, ['>', V, 4]));
  t.deepEqual([none.outcome, none.core], ['conflict', ['b@1.0.0#r0', 'a@1.0.0#variables/v']]);
});

const TYPES: readonly (readonly [string, object, object])[] = [
  ['an int and a decimal', { type: 'int' }, { type: 'decimal', scale: 0 }],
  ['decimals of different scales', { type: 'decimal', scale: 1 }, { type: 'decimal', scale: 2 }],
  ['enums with different values', { type: 'enum', values: ['a', 'b'] }, { type: 'enum', values: ['a', 'b', 'c'] }],
  ['strings of different lengths', { type: 'string', max: 1 }, { type: 'string', max: 2 }],
  ['a Boolean and a string', { type: 'bool' }, { type: 'string', max: 2 }],
];

for (const [what, one, other] of TYPES) {
  test(`${what} with one name are a conflict`, (t) => {
    const answer = compose(sheet('a', { v: one }, ['=', V, V]), sheet('b', { v: other }, ['=', V, V]));
    t.deepEqual([answer.outcome, answer.sheet], ['conflict', null]);
    t.deepEqual(answer.core, ['a@1.0.0#variables/v', 'b@1.0.0#variables/v']);
  });
}

test('the order of an enum’s values makes no difference', (t) => {
  const answer = compose(
    sheet('a', { v: { type: 'enum', values: ['y', 'x'] } }, ['=', V, V]),
    sheet('b', { v: { type: 'enum', values: ['x', 'y'] } }, ['=', V, V]),
  );
  t.deepEqual([answer.outcome, answer.witness], ['consistent', { v: 'y' }]);
});

test('the constraints of a composed sheet have different ids', (t) => {
  const long = 'r'.repeat(64);
  const named = (name: string, ...ids: readonly string[]) => ({
    ...sheet(name, { v: { type: 'bool' } }),
    constraints: ids.map((id) => ({ id, expr: ['=', V, V] })),
  });
  const { sheet: all } = compose(named('a', 'x', long, 'x-2'), named('b', 'x', long), named('c', 'x'));
  t.deepEqual(
    all?.constraints.map(({ id }) => id),
    ['x', long, 'x-2', 'x-3', `${'r'.repeat(62)}-2`, 'x-4'],
  );
  t.like(all, AS);
});

test('a composition that cannot be decided within the limits is only indeterminate', (t) => {
  const answer = composeSheets([SPEND_CAP] as readonly SheetDocument[], AS, { ...by, rlimit: 1 });
  t.is(answer.outcome, 'indeterminate');
  t.deepEqual([answer.sheet, answer.witness, answer.core, answer.redundant], [null, null, [], []]);
});

test('sheets that are too large together are refused', (t) => {
  const many = Array.from({ length: 200 }, () => ['=', V, V]);
  const large = (name: string) => sheet(name, { v: { type: 'bool' } }, ...many);
  t.throws(() => compose(large('a'), large('b')), { code: 'MALFORMED_SHEET' });
  const wide = (name: string) => {
    return sheet(name, Object.fromEntries(many.map((_, index) => [`${name}${index}`, { type: 'bool' }])), [
      'bool',
      true,
    ]);
  };
  t.throws(() => compose(wide('a'), wide('b')), { code: 'MALFORMED_SHEET' });
});

test('every type has its least value in the witness', (t) => {
  t.deepEqual(compose(EVERY_TYPE).witness, { b: false, d: '0.0', e: 'open', i: '0', s: '' });
});

test('hints save questions: the least values of a chain need few questions', (t) => {
  const names = Array.from({ length: 10 }, (_, index) => `v${index}`);
  const type = { type: 'decimal', scale: 2, min: '0.00', max: '1000000.00' };
  const orders = names
    .slice(1)
    .map((name, index) => ['<', ['+', ['var', `v${index}`], ['dec', '7.13']], ['var', name]]);
  let questions = 0;
  const counting: SmtSolver = {
    check(query) {
      questions += 1;
      return by.solver.check(query);
    },
  };
  const chain = sheet('chain', Object.fromEntries(names.map((name) => [name, type])), ...orders);
  const { witness } = composeSheets([chain] as readonly SheetDocument[], AS, { ...by, solver: counting });
  t.is(witness?.['v9'], '64.26');
  t.true(questions < 40, `${questions}`);
});

// One sheet

test('a sheet whose constraints contradict each other is vacuous, with a core', (t) => {
  const torn = sheet('torn', { v: { type: 'int' } }, ['<', V, 3], ['!=', V, 7], ['>', V, 3]);
  t.like(checkSheet(torn, by).judgement, { verdict: 'vacuous', core: ['/constraints/r0', '/constraints/r2'] });
});

test('a sheet that its types rule out is vacuous, and one with an unused variable has lint', (t) => {
  t.is(checkSheet(sheet('a', { v: { type: 'int', max: 3 } }, ['>', V, 3]), by).judgement.verdict, 'vacuous');
  const { judgement, lint } = checkSheet(sheet('a', { v: { type: 'bool' }, w: { type: 'bool' } }, V), by);
  t.is(judgement.verdict, 'satisfied');
  t.like(lint, [{ code: 'UNUSED', path: '/variables/w' }]);
  t.like(checkSheet(SPEND_CAP, { ...by, rlimit: 1 }).lint, [{ code: 'NOT_DECIDED' }]);
  t.like(checkSheet({}, by).fault, { code: 'MALFORMED_SHEET' });
});
