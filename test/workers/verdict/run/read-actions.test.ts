import test from 'ava';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

const PAY = pay('80.00', '0.00');
const { response: _, started_at: __, ended_at: ___, ...INTENT } = PAY;

test('an action has the values of all arguments, and of the fields of the response that its tool declares', (t) => {
  const [, read] = readActions([look, { ...PAY, response: { ...PAY.response, more: 1 } }], plan);
  const [intent] = readIntents([INTENT], plan);
  const args = { order_id: 'A1', amount: 8000n };
  t.deepEqual(Object.fromEntries(read?.args ?? []), args);
  t.deepEqual(Object.fromEntries(read?.response ?? []), { id: 'r1', left: 0n });
  t.deepEqual(Object.fromEntries(intent?.args ?? []), args);
  t.deepEqual([intent?.response, intent?.record], [undefined, undefined]);
});

test('of an action of another step or tool, nothing else is read', (t) => {
  for (const other of [{ step_id: 'rest' }, { tool: 'pay.other' }, { tool_version: '2.1.1' }]) {
    const [action] = readActions([{ ...PAY, ...other, args: {} }], plan);
    t.deepEqual([action?.args, action?.response], [undefined, undefined]);
    t.is(action?.step === undefined, 'step_id' in other);
  }
});

const order = { order_id: 'A1' };
const MALFORMED: readonly (readonly [string, object, string, string])[] = [
  ['without a field of its response', { response: { id: 'r1' } }, 'MALFORMED_VALUE', 'response/left'],
  ['without a response', { response: null }, 'MALFORMED_VALUE', 'response/id'],
  ['without an argument', { args: order }, 'MALFORMED_VALUE', 'args/amount'],
  [
    'with an inherited argument',
    { args: Object.assign(Object.create({ amount: '80.00' }), order) },
    'MALFORMED_VALUE',
    'args/amount',
  ],
  ['with an argument that its tool does not declare', { args: { ...PAY.args, note: '' } }, 'UNKNOWN_NAME', 'args'],
  ['with an amount of another scale', { args: { ...order, amount: '80.0' } }, 'WRONG_SCALE', 'args/amount'],
  ['with an amount that is a number', { args: { ...order, amount: 1 } }, 'MALFORMED_VALUE', 'args/amount'],
  ['with a verdict', { aligned: true }, 'MALFORMED_ACTIONS', 'aligned'],
  ['with a time without microseconds', { ended_at: '2026-11-01T10:00:01Z' }, 'MALFORMED_ACTIONS', 'ended_at'],
];

for (const [what, change, code, path] of MALFORMED) {
  test(`an action ${what} is refused with its path`, (t) => {
    refuses(t, () => readActions([look, { ...PAY, ...change }], plan), code, `/actions/1/${path}`);
  });
}

test('malformed intents are refused at their place among the actions of the run', (t) => {
  const { tool: _tool, ...withoutTool } = INTENT;
  const { args: _args, ...withoutArgs } = INTENT;
  for (const [json, first, code, path] of [
    [[INTENT, withoutTool], 0, 'MALFORMED_ACTIONS', '/actions/1/tool'],
    [[INTENT, withoutTool], 7, 'MALFORMED_ACTIONS', '/actions/8/tool'],
    [{}, 0, 'MALFORMED_ACTIONS', '/actions'],
    [[withoutArgs], 12, 'MALFORMED_ACTIONS', '/actions/12/args'],
    [[INTENT, PAY], 12, 'MALFORMED_ACTIONS', '/actions/13/response'],
    [[{ ...INTENT, args: { ...order, amount: '1' } }], 7, 'WRONG_SCALE', '/actions/7/args/amount'],
  ] as const) {
    refuses(t, () => readIntents(json, plan, first), code, path);
  }
});

test('a run of more than 1,000 actions is refused', (t) => {
  for (const [read, action] of [
    [readActions, look],
    [readIntents, INTENT],
  ] as const) {
    const all = Array<object>(1001).fill(action);
    t.is(read(all.slice(1), plan).length, 1000);
    refuses(t, () => read(all, plan), 'MALFORMED_ACTIONS', '/actions');
  }
});
