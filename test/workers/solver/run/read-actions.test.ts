import test from 'ava';
import { DocumentError } from '../../../../workers/exact/document-error.ts';
import { PlanError } from '../../../../workers/solver/plan/plan-error.ts';
import { readActions, readIntents } from '../../../../workers/solver/run/read-actions.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';

const PAY = pay('80.00', '0.00');
const { response: _, started_at: __, ended_at: ___, ...INTENT } = PAY;

/** The code, path and message of what a function throws. */
function refusal(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof DocumentError || error instanceof PlanError) return [error.code, error.path, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
}

const refused = (action: object) => refusal(() => readActions([look, { ...PAY, ...action }], plan));

test('an action has the values of all arguments and of all fields of the response', (t) => {
  const [, read] = readActions([look, PAY], plan);
  t.deepEqual(
    read?.args,
    new Map<string, string | bigint>([
      ['order_id', 'A1'],
      ['amount', 8000n],
    ]),
  );
  t.deepEqual(
    read?.response,
    new Map<string, string | bigint>([
      ['id', 'r1'],
      ['left', 0n],
    ]),
  );
  const [intent] = readIntents([INTENT], plan);
  t.deepEqual([intent?.args, intent?.response, intent?.record], [read?.args, undefined, undefined]);
});

test('other members of a response are ignored, and one that is missing is named', (t) => {
  const more = { ...PAY.response, more: 1 };
  t.is(readActions([{ ...PAY, response: more }], plan)[0]?.response?.size, 2);
  const { left: _, ...response } = PAY.response;
  t.deepEqual(refused({ response }), ['MALFORMED_VALUE', '/actions/1/response/left', 'is missing']);
  t.deepEqual(refused({ response: null }), ['MALFORMED_VALUE', '/actions/1/response/id', 'is missing']);
});

test('an argument that is missing, inherited or not declared is refused', (t) => {
  const { amount: _, ...args } = PAY.args;
  const missing = ['MALFORMED_VALUE', '/actions/1/args/amount', 'is missing'];
  t.deepEqual(refused({ args }), missing);
  t.deepEqual(refused({ args: Object.create({ amount: '80.00' }, Object.getOwnPropertyDescriptors(args)) }), missing);
  t.deepEqual(refused({ args: { ...PAY.args, note: '' } }), [
    'UNKNOWN_NAME',
    '/actions/1/args',
    'has an argument that the tool does not declare',
  ]);
});

test('of an action of another step or tool, nothing else is read', (t) => {
  for (const other of [{ step_id: 'rest' }, { tool: 'pay.other' }, { tool_version: '2.1.1' }]) {
    const [action] = readActions([{ ...PAY, ...other, args: {} }], plan);
    t.deepEqual([action?.args, action?.response], [undefined, undefined]);
    t.is(action?.step === undefined, 'step_id' in other);
  }
});

test('a list of another shape is refused at its place among the actions of the run', (t) => {
  const { tool: _, ...broken } = INTENT;
  t.deepEqual(refusal(() => readIntents([INTENT, broken], plan)).slice(0, 2), ['MALFORMED_ACTIONS', '/actions/1/tool']);
  t.deepEqual(refusal(() => readIntents([INTENT, broken], plan, 7)).slice(0, 2), [
    'MALFORMED_ACTIONS',
    '/actions/8/tool',
  ]);
  t.deepEqual(refusal(() => readIntents({}, plan)).slice(0, 2), ['MALFORMED_ACTIONS', '/actions']);
  const { args: __, ...late } = INTENT;
  t.deepEqual(refusal(() => readIntents([late], plan, 12)).slice(0, 2), ['MALFORMED_ACTIONS', '/actions/12/args']);
  const bad = { ...INTENT, args: { ...PAY.args, amount: '1' } };
  t.deepEqual(refusal(() => readIntents([bad], plan, 7)).slice(0, 2), ['WRONG_SCALE', '/actions/7/args/amount']);
});
