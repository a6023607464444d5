import { createHash } from 'node:crypto';
import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import type { PlanError } from '../../../../workers/plan/plan-error.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { hashToolText, readCatalogueTool } from '../../../../workers/plan/read/read-tool.ts';
import { setAt } from '../../../kit/set-at.ts';
import { invoices, paymentPlan, TRANSFER, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';
import { refuses } from '../../verdict/thrown.ts';

const ROWS = invoices(4);
const read = (plan: unknown, { tools = [TRANSFER_TEXT], tables = [tableOf(ROWS)] } = {}) =>
  readPlan(plan, [], { tools, tables });

function changed(path: readonly (string | number)[], value: unknown): unknown {
  const plan = structuredClone(paymentPlan(ROWS));
  setAt(plan, path, value);
  return plan;
}

test('a plan of format 2 is read with its tables, maps and tools of the catalogue', (t) => {
  const plan = read(paymentPlan(ROWS));
  t.deepEqual([...plan.tools.keys()], ['bank.transfer@2.0.0', 'approve.invoice@1.0.0']);
  t.deepEqual(plan.tables.get('approved')?.rowAt(['I2']), ['I2', 350n, 'P2']);
  t.is(plan.tables.get('approved')?.rowAt(['I4']), undefined);
  t.is(plan.maps.get('sent')?.byDefault, 0n);
  t.deepEqual(plan.steps[1]?.after, [{ stepId: 'approve', atLeast: 0 }]);
});

const where = ['steps', 1, 'where', 0, 'expr'];
const rule = ['constraints', 0, 'expr'];
const faults: readonly (readonly [string, readonly (string | number)[], unknown, string, string])[] = [
  ['no approvals', ['approvals'], 0, 'MALFORMED_PLAN', '/approvals'],
  ["a table of a step's name", ['steps', 0, 'step_id'], 'approved', 'DUPLICATE_ID', '/tables/approved'],
  ['another number of rows', ['tables', 'approved', 'rows'], 5, 'WRONG_TABLE', '/tables/approved/rows'],
  ['an unknown table', ['tables', 'approved', 'sha256'], '0'.repeat(64), 'UNKNOWN_TABLE', '/tables/approved/sha256'],
  ['a key that is no column', ['tables', 'approved', 'key'], ['id'], 'UNKNOWN_FIELD', '/tables/approved/key/0'],
  [
    'a map by decimals',
    ['state', 'sent', 'key'],
    { type: 'decimal', scale: 2 },
    'MALFORMED_TYPE',
    '/state/sent/key/type',
  ],
  [
    'a map without a default',
    ['state', 'sent'],
    { type: 'map', key: { type: 'int' }, value: { type: 'int' } },
    'MALFORMED_VALUE',
    '/state/sent/default',
  ],
  ["another state than the tool's", ['state', 'balance', 'max'], '5.00', 'OUT_OF_RANGE', '/state/balance/initial'],
  ["a state of another type than the tool's", ['state', 'balance', 'max'], '999999.00', 'WRONG_STATE', '/tools/0'],
  ['an unknown tool', ['tools', 0, 'sha256'], '0'.repeat(64), 'UNKNOWN_TOOL', '/tools/0'],
  ['a tool of another name', ['tools', 0, 'version'], '3.0.0', 'UNKNOWN_TOOL', '/tools/0'],
  ['an inline tool that writes', ['tools', 1, 'effect'], 'write', 'MALFORMED_PLAN', '/tools/1/effect'],
  [
    'a ghost effect on an observed state',
    ['steps', 1, 'effects'],
    { balance: ['state', 'balance'] },
    'WRONG_REPLAY',
    '/steps/1/effects/balance',
  ],
  [
    'an effect on a state that the tool of another step observes',
    ['steps', 0, 'effects'],
    { balance: ['state', 'balance'] },
    'WRONG_REPLAY',
    '/steps/0/effects/balance',
  ],
  [
    'an effect of a map that is no list',
    ['steps', 1, 'effects'],
    { sent: ['arg', 'payee'] },
    'MALFORMED_TYPE',
    '/steps/1/effects/sent/0',
  ],
  [
    'a key of another type',
    ['steps', 1, 'effects', 'sent', 0, 'key'],
    3,
    'TYPE_MISMATCH',
    '/steps/1/effects/sent/0/key',
  ],
  ['1,001 actions', ['steps', 1, 'max'], 601, 'TOO_MANY_ACTIONS', '/steps'],
  ['an order in a circle', ['steps', 0, 'after'], [{ step: 'pay', at_least: 1 }], 'CYCLIC_ORDER', '/steps/0/after'],
  [
    'a condition about other actions',
    where,
    ['exists', 'pay', 'p', ['bool', true]],
    'OUT_OF_SCOPE',
    '/steps/1/where/0/expr/1',
  ],
  [
    'a condition about the response',
    where,
    ['=', ['resp', 'id'], ['str', 'T']],
    'OUT_OF_SCOPE',
    '/steps/1/where/0/expr/1/0',
  ],
  [
    'a condition about a map at the end of the run',
    where,
    ['=', ['at', 'final', 'sent', ['arg', 'payee']], 0],
    'OUT_OF_SCOPE',
    '/steps/1/where/0/expr/1/1',
  ],
  [
    'a rule about a map before an action',
    rule,
    ['=', ['at', 'state', 'sent', ['str', 'P0']], 0],
    'OUT_OF_SCOPE',
    '/constraints/0/expr/1/1',
  ],
];

for (const [what, path, value, code, pointer] of faults) {
  test(`a plan of format 2 with ${what} is refused with a pointer to it`, (t) => {
    refuses(t, () => read(changed(path, value)), code, pointer);
  });
}

test('a table with a malformed line, a repeated key or another text than its hash is refused', (t) => {
  const tableWith = (lines: readonly string[]) => {
    const text = lines.join('\n');
    const { sha256 } = tableOf(lines.map((line) => JSON.parse(line)));
    return { text: `${text}\n`, sha256 };
  };
  const line = '{"invoice":"I0","amount":"1.50","payee":"P0"}';
  const over = (lines: readonly string[]) => {
    const table = tableWith(lines);
    const plan = changed(['tables', 'approved'], {
      ...paymentPlan(ROWS).tables['approved'],
      rows: lines.length,
      sha256: table.sha256,
    });
    return t.throws(() => read(plan, { tables: [table], tools: [TRANSFER_TEXT] }));
  };
  t.like(over([line, line]), { code: 'DUPLICATE_KEY', message: 'has in line 2 the key of an earlier row' });
  t.like(over(['{"invoice":"I0","amount":"1.5","payee":"P0"}']), { code: 'MALFORMED_TABLE', path: '/tables/approved' });
  t.like(over(['{"invoice":"I0","amount":"1.50"}']), { code: 'MALFORMED_TABLE' });
  t.like(over(['{"invoice":"I0","amount":"1.50","payee":"P0","x":1}']), { code: 'MALFORMED_TABLE' });
  const sha256 = '1'.repeat(64);
  const other = { tables: [{ text: `${line}\n`, sha256 }] };
  refuses(
    t,
    () => read(changed(['tables', 'approved', 'sha256'], sha256), other),
    'WRONG_TABLE',
    '/tables/approved/sha256',
  );
});

for (const [what, text, said] of [
  ['100,001 rows', '{}\n'.repeat(100_001), 'has 100001 rows, more than 100000'],
  ['more than 16 MiB', ' '.repeat(16 * 1024 * 1024 + 1), 'has 16777217 bytes, more than 16777216'],
] as const) {
  test(`a table of ${what} is refused`, (t) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const plan = changed(['tables', 'approved', 'sha256'], sha256);
    const error = t.throws(() => read(plan, { tables: [{ text, sha256 }], tools: [TRANSFER_TEXT] }));
    t.like(error, { code: 'MALFORMED_TABLE', path: '/tables/approved', message: said });
  });
}

test('a description of the catalogue refers to its own states only', (t) => {
  t.is(readCatalogueTool(TRANSFER).ref, 'bank.transfer@2.0.0');
  refuses(
    t,
    () => readCatalogueTool({ ...TRANSFER, effects: { balance: ['var', 'cap'] } }),
    'OUT_OF_SCOPE',
    '/effects/balance/0',
  );
});

const limit = (over: object) => ({
  limits: [{ id: 'l', of: 'amount', per: 'payee', within: 'day', most: '1.00', ...over }],
});
const amount = (over: object) => ({ amounts: [{ of: ['arg', 'amount'], unit: '1', currency: 'EUR', ...over }] });
const COUNTED = { args: { ...TRANSFER.args, count: { type: 'int' } } };
const SEEN = { type: 'map', key: { type: 'string', max: 32 }, value: { type: 'int', min: 0, max: 9 } };
const ENTRY = { key: ['arg', 'invoice'], value: 1 };
const seen = (entries: unknown) => ({
  state: { ...TRANSFER.state, seen: SEEN },
  effects: { ...TRANSFER.effects, seen: entries },
});

for (const change of [
  limit({}),
  limit({ of: null, per: null, most: '1' }),
  amount({}),
  amount({ of: ['resp', 'balance'], unit: '0.01', currency: ['arg', 'payee'] }),
  amount({ unit: ['arg', 'invoice'] }),
  { ...COUNTED, ...limit({ of: 'count', most: '1' }) },
  { ...COUNTED, ...amount({ of: ['arg', 'count'] }) },
  seen([ENTRY]),
  seen([ENTRY, ENTRY, ENTRY, ENTRY]),
]) {
  test(`a description of the catalogue with ${JSON.stringify(change)} is read`, (t) => {
    t.notThrows(() => readCatalogueTool({ ...TRANSFER, ...change }));
  });
}

const MALFORMED: readonly (readonly [object, string, string])[] = [
  [{ identity: null }, 'WRONG_REPLAY', '/effect'],
  [{ ...COUNTED, ...limit({ of: 'count', most: '1.0' }) }, 'WRONG_SCALE', '/limits/0/most'],
  [limit({ of: 'payee' }), 'UNKNOWN_FIELD', '/limits/0/of'],
  [limit({ of: 'balance' }), 'UNKNOWN_FIELD', '/limits/0/of'],
  [limit({ per: 'balance' }), 'UNKNOWN_FIELD', '/limits/0/per'],
  [limit({ most: '1' }), 'WRONG_SCALE', '/limits/0/most'],
  [limit({ of: null, most: '1.00' }), 'WRONG_SCALE', '/limits/0/most'],
  [{ ...amount({}), effect: 'write' }, 'MALFORMED_TOOL', '/amounts'],
  [amount({ of: ['arg', 'payee'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ of: ['arg', 'balance'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ of: ['resp', 'amount'] }), 'UNKNOWN_FIELD', '/amounts/0/of'],
  [amount({ unit: '0.00' }), 'MALFORMED_TOOL', '/amounts/0/unit'],
  [amount({ unit: ['arg', 'amount'] }), 'UNKNOWN_FIELD', '/amounts/0/unit'],
  [amount({ currency: ['arg', 'nobody'] }), 'UNKNOWN_FIELD', '/amounts/0/currency'],
  [seen([]), 'MALFORMED_PLAN', '/effects/seen'],
  [seen([ENTRY, ENTRY, ENTRY, ENTRY, ENTRY]), 'MALFORMED_PLAN', '/effects/seen'],
  [seen([{ key: ENTRY.key }]), 'MALFORMED_PLAN', '/effects/seen/0'],
  [seen([{ ...ENTRY, more: 1 }]), 'MALFORMED_PLAN', '/effects/seen/0'],
];
for (const [change, code, path] of MALFORMED) {
  test(`a description of the catalogue with ${JSON.stringify(change)} is refused: ${code}`, (t) => {
    refuses(t, () => readCatalogueTool({ ...TRANSFER, ...change }), code, path);
  });
}

for (const [description, place] of [
  [{ ...TRANSFER, ...limit({ most: '1' }) }, '/limits/0/most'],
  [[], 'form'],
] as const) {
  test(`a plan whose tool is malformed at its ${place} is refused, and says so`, (t) => {
    const text = canonicalText(description);
    const plan = changed(['tools', 0, 'sha256'], hashToolText(text));
    const { code, path, message } = t.throws<PlanError>(() => read(plan, { tools: [text] }));
    t.deepEqual([code, path], ['MALFORMED_TOOL', '/tools/0']);
    t.true(message.startsWith(`the tool is malformed: its ${place} `), message);
  });
}

/** A tool that keeps the kinds of what it sent, by their names. */
const SORTS = {
  ...TRANSFER,
  state: { ...TRANSFER.state, kind: { type: 'enum', values: ['a', 'b'] }, seen: SEEN },
};

test('a plan has the states of a tool, with the same values in any order, and maps of the same types', (t) => {
  const text = canonicalText(SORTS);
  const plan = paymentPlan(ROWS);
  const [transfer, ...tools] = plan.tools;
  const readWith = (state: object) =>
    readPlan(
      {
        ...plan,
        tools: [{ ...transfer, sha256: hashToolText(text) }, ...tools],
        state: { ...plan.state, kind: KIND, seen: { ...SEEN, default: 0 }, ...state },
      },
      [],
      { tools: [text], tables: [tableOf(ROWS)] },
    );
  const KIND = { type: 'enum', values: ['b', 'a'], initial: 'a' };
  t.notThrows(() => readWith({}));
  for (const state of [
    { kind: { ...KIND, values: ['a', 'b', 'c'] } },
    { seen: { ...SEEN, key: { type: 'string', max: 33 }, default: 0 } },
    { seen: { ...SEEN, value: { type: 'int', min: 0, max: 8 }, default: 0 } },
    { seen: { type: 'int', min: 0, max: 9, initial: 0 } },
  ]) {
    refuses(t, () => readWith(state), 'WRONG_STATE', '/tools/0', JSON.stringify(state));
  }
});
