import test, { type ExecutionContext } from 'ava';
import { DocumentError } from '../../../../workers/exact/document-error.ts';
import { PlanError } from '../../../../workers/plan/plan-error.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { readSheet } from '../../../../workers/plan/read/read-sheet.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { EVERY_TYPE, SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';

function refused(t: ExecutionContext, read: () => unknown, code: string, path: string) {
  const error = t.throws(read);
  if (!(error instanceof PlanError || error instanceof DocumentError)) throw error;
  t.deepEqual([error.code, error.path], [code, path]);
}

// Sheets

test('a sheet has its variables, the bounds of their types, and its rules', (t) => {
  const { ref, variables, bounds, rules } = readSheet(SPEND_CAP);
  t.is(ref, 'spend-cap@1.0.0');
  t.deepEqual([...variables.keys()], ['cap', 'spent']);
  t.deepEqual(
    [bounds, rules].map((all) => all.map(({ id }) => id)),
    [['cap'], ['within']],
  );
});

const MANY = Array.from({ length: 257 }, (_, index) => [`v${index}`, { type: 'bool' }] as const);
const HEAVY = ['+', ...Array.from({ length: 900 }, () => 1)];
const FAULTS: readonly (readonly [object, string, string])[] = [
  [{ sheet_format: 2 }, 'MALFORMED_SHEET', '/sheet_format'],
  [{ name: 'no spaces' }, 'MALFORMED_SHEET', '/name'],
  [{ version: '1.0' }, 'MALFORMED_SHEET', '/version'],
  [{ title: '' }, 'MALFORMED_SHEET', '/title'],
  [{ verdict: 'satisfied' }, 'MALFORMED_SHEET', '/verdict'],
  [{ constraints: [] }, 'MALFORMED_SHEET', '/constraints'],
  [{ variables: { cap: { type: 'int', value: 1 } } }, 'MALFORMED_TYPE', '/variables/cap/value'],
  [{ variables: Object.fromEntries(MANY) }, 'TOO_MANY_VARIABLES', '/variables'],
  [{ constraints: [...SPEND_CAP.constraints, ...SPEND_CAP.constraints] }, 'DUPLICATE_ID', '/constraints/1'],
  [{ constraints: [{ id: 'a', expr: ['var', 'cap'] }] }, 'TYPE_MISMATCH', '/constraints/0/expr'],
  [{ constraints: [{ id: 'a', expr: ['=', ['arg', 'cap'], 1] }] }, 'OUT_OF_SCOPE', '/constraints/0/expr/1/0'],
  [
    { constraints: [{ id: 'a', expr: ['exists', 'pay', 'p', ['bool', true]] }] },
    'UNKNOWN_OPERATOR',
    '/constraints/0/expr/0',
  ],
  [
    { constraints: Array.from({ length: 30 }, (_, id) => ({ id: `${id}`, expr: ['<', HEAVY, 1] })) },
    'TOO_MANY_NODES',
    '/constraints/22/expr',
  ],
];

for (const [change, code, path] of FAULTS) {
  test(`a sheet is refused for ${code} at ${path}`, (t) => {
    refused(t, () => readSheet({ ...SPEND_CAP, ...change }), code, path);
  });
}

// Plans that use sheets

const BIND = { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] };
const TEXTS = [textOf(EVERY_TYPE), textOf(SPEND_CAP)];
const planWith = (...sheets: readonly object[]) => readPlan({ ...REFUND_PLAN, sheets }, TEXTS);

test('a plan uses a sheet for the run, and one for each action of a step', (t) => {
  const each = { cap: ['var', 'cap'], spent: ['+', ['arg', 'amount'], ['resp', 'left'], ['state', 'refundable']] };
  const { sheets } = planWith(useOf(SPEND_CAP, 'plan', BIND), useOf(SPEND_CAP, 'each:pay', each));
  t.deepEqual(
    sheets.map(({ sheet, stepId, bind }) => [sheet.ref, stepId, [...bind.keys()]]),
    [
      ['spend-cap@1.0.0', undefined, ['cap', 'spent']],
      ['spend-cap@1.0.0', 'pay', ['cap', 'spent']],
    ],
  );
  t.is(sheets[0]?.sheet, sheets[1]?.sheet);
});

const use = useOf(SPEND_CAP, 'plan', BIND);
const types = { b: ['bool', true], d: ['dec', '0.5'], e: ['enum', 'open'], i: ['count', 'pay'], s: ['str', 'A1'] };
const everyType = (bind: object) => useOf(EVERY_TYPE, 'plan', { ...types, ...bind });
const MISUSES: readonly (readonly [string, object, string, string])[] = [
  ['that is not given', { ...use, name: 'other' }, 'UNKNOWN_SHEET', '/sheets/0'],
  ['with another version', { ...use, version: '1.0.1' }, 'UNKNOWN_SHEET', '/sheets/0'],
  ['with an unknown hash', { ...use, sha256: '0'.repeat(64) }, 'UNKNOWN_SHEET', '/sheets/0/sha256'],
  ["with another sheet's hash", { ...use, sha256: everyType({}).sha256 }, 'UNKNOWN_SHEET', '/sheets/0/sha256'],
  ['for a step that does not exist', { ...use, scope: 'each:rest' }, 'UNKNOWN_STEP', '/sheets/0/scope'],
  ['with an unbound variable', { ...use, bind: { cap: BIND.cap } }, 'UNBOUND_VARIABLE', '/sheets/0/bind'],
  [
    'with a variable that it does not have',
    { ...use, bind: { ...BIND, left: 1 } },
    'UNKNOWN_FIELD',
    '/sheets/0/bind/left',
  ],
  [
    'with too many decimals',
    { ...use, bind: { ...BIND, cap: ['dec', '1.001'] } },
    'TYPE_MISMATCH',
    '/sheets/0/bind/cap',
  ],
  [
    'with a name that is not in scope',
    { ...use, bind: { ...BIND, cap: ['arg', 'amount'] } },
    'OUT_OF_SCOPE',
    '/sheets/0/bind/cap/0',
  ],
  [
    'for each action of a step, bound to a sum',
    { ...use, scope: 'each:pay' },
    'OUT_OF_SCOPE',
    '/sheets/0/bind/spent/1',
  ],
  ['bound to a value of another type', everyType({ b: 1 }), 'TYPE_MISMATCH', '/sheets/0/bind/b'],
  ['bound to a value outside its enum', everyType({ e: ['enum', 'ajar'] }), 'UNKNOWN_VALUE', '/sheets/0/bind/e'],
  ['bound to a string that is too long', everyType({ s: ['str', 'A12'] }), 'TYPE_MISMATCH', '/sheets/0/bind/s'],
  [
    'bound to a string that may be too long',
    { ...everyType({ i: 1, s: ['ite', ['bool', true], ['str', 'A'], ['arg', 'order_id']] }), scope: 'each:pay' },
    'TYPE_MISMATCH',
    '/sheets/0/bind/s',
  ],
];

for (const [what, misuse, code, path] of MISUSES) {
  test(`refuses a plan that uses a sheet ${what}`, (t) => {
    t.notThrows(() => planWith(use, everyType({})));
    refused(t, () => planWith(misuse), code, path);
  });
}

test('a text with the named hash that is not a sheet is refused', (t) => {
  const odd = { name: 'odd', version: '1.0.0' };
  const plan = { ...REFUND_PLAN, sheets: [useOf(odd, 'plan', {})] };
  refused(t, () => readPlan(plan, [textOf(odd)]), 'MALFORMED_SHEET', '/sheets/0');
});
