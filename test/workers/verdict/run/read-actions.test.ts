import test, { type ExecutionContext } from 'ava';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';

const PAY = pay('80.00', '0.00');
const { response: _, started_at: __, ended_at: ___, ...INTENT } = PAY;

interface Refusal {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

const refuses = (t: ExecutionContext, action: object, refusal: Refusal) =>
  t.like(
    t.throws(() => readActions([look, { ...PAY, ...action }], plan)),
    refusal,
  );

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
  const missing = { code: 'MALFORMED_VALUE', message: 'is missing' };
  refuses(t, { response }, { ...missing, path: '/actions/1/response/left' });
  refuses(t, { response: null }, { ...missing, path: '/actions/1/response/id' });
});

test('an argument that is missing, inherited or not declared is refused', (t) => {
  const { amount: _, ...args } = PAY.args;
  const missing = { code: 'MALFORMED_VALUE', path: '/actions/1/args/amount', message: 'is missing' };
  refuses(t, { args }, missing);
  refuses(t, { args: Object.create({ amount: '80.00' }, Object.getOwnPropertyDescriptors(args)) }, missing);
  const message = 'has an argument that the tool does not declare';
  refuses(t, { args: { ...PAY.args, note: '' } }, { code: 'UNKNOWN_NAME', path: '/actions/1/args', message });
});

test('of an action of another step or tool, nothing else is read', (t) => {
  for (const other of [{ step_id: 'rest' }, { tool: 'pay.other' }, { tool_version: '2.1.1' }]) {
    const [action] = readActions([{ ...PAY, ...other, args: {} }], plan);
    t.deepEqual([action?.args, action?.response], [undefined, undefined]);
    t.is(action?.step === undefined, 'step_id' in other);
  }
});

test('a list of another shape is refused at its place among the actions of the run', (t) => {
  const { tool: _, ...withoutTool } = INTENT;
  const { args: __, ...withoutArgs } = INTENT;
  const otherScale = { ...INTENT, args: { ...PAY.args, amount: '1' } };
  const lists: readonly (readonly [json: unknown, first: number, code: string, path: string])[] = [
    [[INTENT, withoutTool], 0, 'MALFORMED_ACTIONS', '/actions/1/tool'],
    [[INTENT, withoutTool], 7, 'MALFORMED_ACTIONS', '/actions/8/tool'],
    [{}, 0, 'MALFORMED_ACTIONS', '/actions'],
    [[withoutArgs], 12, 'MALFORMED_ACTIONS', '/actions/12/args'],
    [[otherScale], 7, 'WRONG_SCALE', '/actions/7/args/amount'],
  ];
  for (const [json, first, code, path] of lists) {
    t.like(
      t.throws(() => readIntents(json, plan, first)),
      { code, path },
    );
  }
});
