import { createHash } from 'node:crypto';
import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import type { PlanError } from '../../../../workers/plan/plan-error.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { hashToolText } from '../../../../workers/plan/read/read-tool.ts';
import { changed } from '../../../kit/set-at.ts';
import { invoices, paymentPlan, TRANSFER, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { rowsOf, tree } from '../../../models/trees.ts';
import { refuses } from '../../verdict/thrown.ts';

const ROWS = invoices(4);
const PAYMENTS = paymentPlan(ROWS);
const readPayments = (plan: unknown, { tools = [TRANSFER_TEXT], tables = [tableOf(ROWS)] } = {}) =>
  readPlan(plan, [], { tools, tables });

test('a plan is read with its names, types and expressions', (t) => {
  const plan = readPlan(REFUND_PLAN);
  t.deepEqual([...plan.tools.keys()], ['order.get@1.0.0', 'pay.refund@2.1.0']);
  const [look, pay] = plan.steps;
  t.like(look, { stepId: 'look', after: [], min: 1, max: 1 });
  t.like(pay, { stepId: 'pay', after: [{ stepId: 'look', atLeast: 1 }], min: 1, max: 2 });
  t.is(plan.variables.get('cap')?.value, 10_000n);
  t.is(plan.state.get('refundable')?.value, 8_000n);
  t.is(pay?.evidence[0]?.binds.map(({ id }) => id).join(), 'amount,id');
  t.is(pay?.tool, plan.tools.get('pay.refund@2.1.0'));
});

test('a plan is read with its tables, maps and tools of the catalogue', (t) => {
  const plan = readPayments(PAYMENTS);
  t.deepEqual([...plan.tools.keys()], ['bank.transfer@2.0.0', 'approve.invoice@1.0.0']);
  t.deepEqual(plan.tables.get('approved')?.rowAt(['I2']), ['I2', 350n, 'P2']);
  t.is(plan.tables.get('approved')?.rowAt(['I4']), undefined);
  t.is(plan.maps.get('sent')?.byDefault, 0n);
  t.deepEqual(plan.steps[1]?.after, [{ stepId: 'approve', atLeast: 0 }]);
});

/**
 * Changes of a plan: a JSON pointer, its new value, which is JSON or a tree of an expression, and the code. The fault
 * is at the pointer, at one that follows, or at `+` within.
 */
const REFUNDS = `
/title = ⇒ MALFORMED_PLAN
/plan_format = 1 ⇒ MALFORMED_PLAN
/verdict = "satisfied" ⇒ MALFORMED_PLAN
/expires_at = "2026-12-01T00:00:00Z" ⇒ MALFORMED_PLAN
/steps = [] ⇒ MALFORMED_PLAN
/variables/a b = {"type":"bool","value":true} ⇒ MALFORMED_PLAN
/variables/cap/value = "100.0" ⇒ WRONG_SCALE
/variables/cap/value = 100.5 ⇒ MALFORMED_VALUE
/tools/1 = ${JSON.stringify(REFUND_PLAN.tools[0])} ⇒ DUPLICATE_ID
/steps/1/step_id = "look" ⇒ DUPLICATE_ID /steps/1
/constraints/1/id = "cap" ⇒ DUPLICATE_ID /constraints/1
/steps/1/evidence/1 = ${JSON.stringify(REFUND_PLAN.steps[1]?.evidence[0])} ⇒ DUPLICATE_ID
/steps/0/tool = "order.get@1.0.1" ⇒ UNKNOWN_TOOL
/steps/1/after/0/step = "ask" ⇒ UNKNOWN_STEP /steps/1/after
/steps/1/overlaps = ["ask"] ⇒ UNKNOWN_STEP
/steps/0/after = [{"step":"look","at_least":1}] ⇒ CYCLIC_ORDER
/steps/0/after = [{"step":"pay","at_least":1}] ⇒ CYCLIC_ORDER
/steps/0/min = 2 ⇒ IMPOSSIBLE_COUNT /steps/0
/steps/1/evidence/0/min = 2 ⇒ IMPOSSIBLE_COUNT /steps/1/evidence/0
/tools/1/effects/x = [dec 0.00] ⇒ UNKNOWN_FIELD
/tools/1/observe/refundable = "x" ⇒ UNKNOWN_FIELD
/tools/1/observe/refundable = "id" ⇒ UNKNOWN_FIELD
/tools/1/observe = {} ⇒ WRONG_REPLAY /tools/1/replay
/tools/1/replay = "recorded" ⇒ WRONG_REPLAY
/tools/1/identity = "left" ⇒ UNKNOWN_FIELD
/tools/1/responds/left/scale = 3 ⇒ UNKNOWN_FIELD /tools/1/observe/refundable
/sheets = [{"name":"r","version":"1.0.0","sha256":"${'0'.repeat(64)}","scope":"plan","bind":{}}] ⇒ UNKNOWN_SHEET +/0
/steps/1/where/1/expr = [= [resp id] [str x]] ⇒ OUT_OF_SCOPE +/1/0
/steps/1/evidence/0/binds/0/expr = [> [run approvals] 0] ⇒ OUT_OF_SCOPE +/1/0
/constraints/0/expr = [= [arg amount] [dec 1.00]] ⇒ OUT_OF_SCOPE +/1/0
/constraints/0/expr = [exists ask p [bool true]] ⇒ UNKNOWN_STEP +/1
/constraints/0/expr = [sum pay p [arg p amount]] ⇒ TYPE_MISMATCH
`;
const PAID = `
/approvals = 0 ⇒ MALFORMED_PLAN
/steps/0/step_id = "approved" ⇒ DUPLICATE_ID /tables/approved
/tables/approved/rows = 5 ⇒ WRONG_TABLE
/tables/approved/sha256 = "${'0'.repeat(64)}" ⇒ UNKNOWN_TABLE
/tables/approved/key = ["id"] ⇒ UNKNOWN_FIELD +/0
/tables/few = {"key":["a"],"columns":{"a":{"type":"string","max":9,"fold":"email"}},"inline":[{"a":"A@b"}]}\
 ⇒ NOT_FOLDED +/inline/0/a
/state/sent/key = {"type":"decimal","scale":2} ⇒ MALFORMED_TYPE +/type
/state/sent = {"type":"map","key":{"type":"int"},"value":{"type":"int"}} ⇒ MALFORMED_VALUE +/default
/state/balance/max = "5.00" ⇒ OUT_OF_RANGE /state/balance/initial
/state/balance/max = "999999.00" ⇒ WRONG_STATE /tools/0
/tools/0/sha256 = "${'0'.repeat(64)}" ⇒ UNKNOWN_TOOL /tools/0
/tools/0/version = "3.0.0" ⇒ UNKNOWN_TOOL /tools/0
/tools/1/effect = "write" ⇒ MALFORMED_PLAN
/steps/1/effects = {"balance":["state","balance"]} ⇒ WRONG_REPLAY +/balance
/steps/0/effects = {"balance":["state","balance"]} ⇒ WRONG_REPLAY +/balance
/steps/1/effects = {"sent":["arg","payee"]} ⇒ MALFORMED_TYPE +/sent/0
/steps/1/effects/sent/0/key = 3 ⇒ TYPE_MISMATCH
/steps/1/max = 601 ⇒ TOO_MANY_ACTIONS /steps
/steps/1/where/0/expr = [exists pay p [bool true]] ⇒ OUT_OF_SCOPE +/1
/steps/1/where/0/expr = [= [at final sent [arg payee]] 0] ⇒ OUT_OF_SCOPE +/1/1
/constraints/0/expr = [= [at state sent [str P0]] 0] ⇒ OUT_OF_SCOPE +/1/1
`;

function newValue(text: string): unknown {
  if (text === '') return undefined;
  return /^\[[a-z=>]/.test(text) ? tree(text) : JSON.parse(text);
}

test('a plan with a fault is refused with a pointer to it', (t) => {
  for (const [table, plan] of [
    [REFUNDS, REFUND_PLAN],
    [PAID, PAYMENTS],
  ] as const) {
    for (const [change, expected] of rowsOf(table)) {
      const [, pointer = '', value = ''] = /^(.*?) = ?(.*)$/.exec(change) ?? [];
      const [code = '', at = '+'] = expected.split(' ');
      const read = () => readPayments(changed(plan, { [pointer]: newValue(value) }));
      refuses(t, read, code, at.replace('+', pointer), change);
    }
  }
  for (const json of [null, [], 'plan', 1])
    refuses(t, () => readPlan(json), 'MALFORMED_PLAN', '/plan_format', String(json));
});

test('a field of a response is at a JSON pointer of at most 256 characters', (t) => {
  const readAt = (at: unknown) => readPlan(changed(REFUND_PLAN, { '/tools/0/responds/total/at': at }));
  for (const pointer of ['', '/', '/a/0', '/a~0b/c~1d', '/ü', `/${'a'.repeat(255)}`]) {
    t.is(readAt(pointer).tools.get('order.get@1.0.0')?.responds.get('total')?.at, pointer);
  }
  for (const pointer of ['a', 'a/b', '/a~', '/a~2', '~0', `/${'a'.repeat(256)}`, 5, null]) {
    refuses(t, () => readAt(pointer), 'MALFORMED_PLAN', '/tools/0/responds/total/at', `${pointer}`);
  }
});

/** The plan over a table of this text. */
function withText(text: string, rows: number, sha256 = createHash('sha256').update(text).digest('hex')) {
  const approved = { ...PAYMENTS.tables['approved'], rows, sha256 };
  return readPayments({ ...PAYMENTS, tables: { ...PAYMENTS.tables, approved } }, { tables: [{ text, sha256 }] });
}

test('a table that is malformed, too large, or has a repeated key or another hash is refused', (t) => {
  const line = '{"invoice":"I0","amount":"1.50","payee":"P0"}\n';
  t.is(withText(line, 1).tables.get('approved')?.rowAt(['I0'])?.[1], 150n);
  for (const [text, code, message] of [
    [line + line, 'DUPLICATE_KEY', 'has in line 2 the key of an earlier row'],
    [line.replace('1.50', '1.5'), 'MALFORMED_TABLE'],
    ['{"invoice":"I0","amount":"1.50"}\n', 'MALFORMED_TABLE'],
    [line.replace('}', ',"x":1}'), 'MALFORMED_TABLE'],
    ['{}\n'.repeat(100_001), 'MALFORMED_TABLE', 'has 100001 rows, more than 100000'],
    [' '.repeat(16 * 1024 * 1024 + 1), 'MALFORMED_TABLE', 'has 16777217 bytes, more than 16777216'],
  ] as const) {
    const error = t.throws<PlanError>(() => withText(text, 2));
    t.deepEqual([error.code, error.path], [code, '/tables/approved']);
    if (message !== undefined) t.is(error.message, message);
  }
  refuses(t, () => withText(line, 1, '1'.repeat(64)), 'WRONG_TABLE', '/tables/approved/sha256');
});

const withTool = (text: string, state = {}) => {
  const plan = changed(PAYMENTS, { '/tools/0/sha256': hashToolText(text) });
  return readPayments({ ...plan, state: { ...plan.state, ...state } }, { tools: [text] });
};

test('a plan whose tool is malformed is refused, and says where', (t) => {
  const limits = [{ id: 'l', of: 'amount', per: 'payee', within: 'day', most: '1' }];
  for (const [description, place] of [
    [{ ...TRANSFER, limits }, '/limits/0/most'],
    [[], 'form'],
  ] as const) {
    const { code, path, message } = t.throws<PlanError>(() => withTool(canonicalText(description)));
    t.deepEqual([code, path], ['MALFORMED_TOOL', '/tools/0']);
    t.true(message.startsWith(`the tool is malformed: its ${place} `), message);
  }
});

test('a plan has the states of a tool, with the same values in any order, and maps of the same types', (t) => {
  const SEEN = { type: 'map', key: { type: 'string', max: 32 }, value: { type: 'int', min: 0, max: 9 } };
  const KIND = { type: 'enum', values: ['b', 'a'], initial: 'a' };
  const kept = { ...TRANSFER.state, kind: { type: 'enum', values: ['a', 'b'] }, seen: SEEN };
  const text = canonicalText({ ...TRANSFER, state: kept });
  const read = (state: object) => withTool(text, { kind: KIND, seen: { ...SEEN, default: 0 }, ...state });
  t.notThrows(() => read({}));
  for (const state of [
    { kind: { ...KIND, values: ['a', 'b', 'c'] } },
    { seen: { ...SEEN, key: { type: 'string', max: 33 }, default: 0 } },
    { seen: { ...SEEN, value: { type: 'int', min: 0, max: 8 }, default: 0 } },
    { seen: { type: 'int', min: 0, max: 9, initial: 0 } },
  ]) {
    refuses(t, () => read(state), 'WRONG_STATE', '/tools/0', JSON.stringify(state));
  }
});
