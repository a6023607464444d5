import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { readSheet } from '../../../../workers/plan/read/read-sheet.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { EVERY_TYPE, SPEND_CAP, textOf, useOf } from '../../../models/sheets.ts';
import { refuses } from '../../verdict/thrown.ts';

test('a sheet has its variables, the bounds of their types, and its rules', (t) => {
  const { ref, variables, bounds, rules } = readSheet(SPEND_CAP);
  t.is(ref, 'spend-cap@1.0.0');
  t.deepEqual([...variables.keys()], ['cap', 'spent']);
  t.is([...bounds, ...rules].map(({ id }) => id).join(), 'cap,within');
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

test('a sheet with a fault is refused', (t) => {
  for (const [change, code, path] of FAULTS)
    refuses(t, () => readSheet({ ...SPEND_CAP, ...change }), code, path, JSON.stringify(change).slice(0, 99));
});

const BIND = { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] };
const TEXTS = [textOf(EVERY_TYPE), textOf(SPEND_CAP)];
const planWith = (...sheets: readonly object[]) => readPlan({ ...REFUND_PLAN, sheets }, TEXTS);

test('a plan uses a sheet for the run, and one for each action of a step', (t) => {
  const each = { cap: ['var', 'cap'], spent: ['+', ['arg', 'amount'], ['resp', 'left'], ['state', 'refundable']] };
  const { sheets } = planWith(useOf(SPEND_CAP, 'plan', BIND), useOf(SPEND_CAP, 'each:pay', each));
  const said = sheets.map(({ sheet, stepId, bind }) => [sheet.ref, stepId, ...bind.keys()].join());
  t.deepEqual(said, ['spend-cap@1.0.0,,cap,spent', 'spend-cap@1.0.0,pay,cap,spent']);
  t.is(sheets[0]?.sheet, sheets[1]?.sheet);
});

const use = useOf(SPEND_CAP, 'plan', BIND);
const types = { b: ['bool', true], d: ['dec', '0.5'], e: ['enum', 'open'], i: ['count', 'pay'], s: ['str', 'A1'] };
const MAY_BE_LONG = ['ite', ['bool', true], ['str', 'A'], ['arg', 'order_id']];
const everyType = (bind: object) => useOf(EVERY_TYPE, 'plan', { ...types, ...bind });
/** Uses that do not fit, with the code and the path within the use. */
const MISUSES: readonly (readonly [object, string, string])[] = [
  [{ ...use, name: 'other' }, 'UNKNOWN_SHEET', ''],
  [{ ...use, version: '1.0.1' }, 'UNKNOWN_SHEET', ''],
  [{ ...use, sha256: '0'.repeat(64) }, 'UNKNOWN_SHEET', '/sha256'],
  [{ ...use, sha256: everyType({}).sha256 }, 'UNKNOWN_SHEET', '/sha256'],
  [{ ...use, scope: 'each:rest' }, 'UNKNOWN_STEP', '/scope'],
  [{ ...use, bind: { cap: BIND.cap } }, 'UNBOUND_VARIABLE', '/bind'],
  [{ ...use, bind: { ...BIND, left: 1 } }, 'UNKNOWN_FIELD', '/bind/left'],
  [{ ...use, bind: { ...BIND, cap: ['dec', '1.001'] } }, 'TYPE_MISMATCH', '/bind/cap'],
  [{ ...use, bind: { ...BIND, cap: ['arg', 'amount'] } }, 'OUT_OF_SCOPE', '/bind/cap/0'],
  // A sum is of the whole run, not of one action.
  [{ ...use, scope: 'each:pay' }, 'OUT_OF_SCOPE', '/bind/spent/1'],
  [everyType({ b: 1 }), 'TYPE_MISMATCH', '/bind/b'],
  [everyType({ e: ['enum', 'ajar'] }), 'UNKNOWN_VALUE', '/bind/e'],
  [everyType({ s: ['str', 'A12'] }), 'TYPE_MISMATCH', '/bind/s'],
  [{ ...everyType({ i: 1, s: MAY_BE_LONG }), scope: 'each:pay' }, 'TYPE_MISMATCH', '/bind/s'],
];

test('a use of a sheet that does not fit is refused', (t) => {
  t.notThrows(() => planWith(use, everyType({})));
  for (const [misuse, code, path] of MISUSES)
    refuses(t, () => planWith(misuse), code, `/sheets/0${path}`, JSON.stringify(misuse));
  // A text with the hash, which is no sheet.
  const odd = { name: 'odd', version: '1.0.0' };
  const plan = { ...REFUND_PLAN, sheets: [useOf(odd, 'plan', {})] };
  refuses(t, () => readPlan(plan, [textOf(odd)]), 'MALFORMED_SHEET', '/sheets/0');
});
