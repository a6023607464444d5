import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { setAt } from '../../../kit/set-at.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { refuses } from '../../verdict/thrown.ts';

type Path = readonly (string | number)[];

/** A copy of the plan with one value replaced. Undefined removes the value. */
function changed(path: Path, value: unknown): unknown {
  const plan = structuredClone(REFUND_PLAN);
  setAt(plan, path, value);
  return plan;
}

test('a plan is read with its names, types and expressions', (t) => {
  const plan = readPlan(REFUND_PLAN);
  t.deepEqual([...plan.tools.keys()], ['order.get@1.0.0', 'pay.refund@2.1.0']);
  t.deepEqual(
    plan.steps.map(({ stepId, after, min, max }) => ({ stepId, after, min, max })),
    [
      { stepId: 'look', after: [], min: 1, max: 1 },
      { stepId: 'pay', after: [{ stepId: 'look', atLeast: 1 }], min: 1, max: 2 },
    ],
  );
  t.is(plan.variables.get('cap')?.value, 10_000n);
  t.is(plan.state.get('refundable')?.value, 8_000n);
  t.deepEqual(
    plan.steps[1]?.evidence[0]?.binds.map(({ id }) => id),
    ['amount', 'id'],
  );
  t.is(plan.steps[1]?.tool, plan.tools.get('pay.refund@2.1.0'));
});

const REFUSED: readonly (readonly [what: string, path: Path, value: unknown, code: string, pointer: string])[] = [
  ['no title', ['title'], undefined, 'MALFORMED_PLAN', '/title'],
  ['the format before', ['plan_format'], 1, 'MALFORMED_PLAN', '/plan_format'],
  ['a verdict', ['verdict'], 'satisfied', 'MALFORMED_PLAN', '/verdict'],
  ['an instant without microseconds', ['expires_at'], '2026-12-01T00:00:00Z', 'MALFORMED_PLAN', '/expires_at'],
  ['no steps', ['steps'], [], 'MALFORMED_PLAN', '/steps'],
  ['a malformed name', ['variables', 'a b'], { type: 'bool', value: true }, 'MALFORMED_PLAN', '/variables/a b'],
  ['a value of another scale', ['variables', 'cap', 'value'], '100.0', 'WRONG_SCALE', '/variables/cap/value'],
  ['a value that is a JSON number', ['variables', 'cap', 'value'], 100.5, 'MALFORMED_VALUE', '/variables/cap/value'],
  ['a repeated tool', ['tools', 1], REFUND_PLAN.tools[0], 'DUPLICATE_ID', '/tools/1'],
  ['a repeated step', ['steps', 1, 'step_id'], 'look', 'DUPLICATE_ID', '/steps/1'],
  ['a repeated rule', ['constraints', 1, 'id'], 'cap', 'DUPLICATE_ID', '/constraints/1'],
  ['a repeated kind of evidence', ['steps', 1, 'evidence'], twice(), 'DUPLICATE_ID', '/steps/1/evidence/1'],
  ['an unknown tool', ['steps', 0, 'tool'], 'order.get@1.0.1', 'UNKNOWN_TOOL', '/steps/0/tool'],
  ['an unknown step to wait for', ['steps', 1, 'after', 0, 'step'], 'ask', 'UNKNOWN_STEP', '/steps/1/after'],
  ['an unknown step to overlap', ['steps', 1, 'overlaps'], ['ask'], 'UNKNOWN_STEP', '/steps/1/overlaps'],
  [
    'a step that waits for itself',
    ['steps', 0, 'after'],
    [{ step: 'look', at_least: 1 }],
    'CYCLIC_ORDER',
    '/steps/0/after',
  ],
  [
    'steps that wait for each other',
    ['steps', 0, 'after'],
    [{ step: 'pay', at_least: 1 }],
    'CYCLIC_ORDER',
    '/steps/0/after',
  ],
  ['min above max', ['steps', 0, 'min'], 2, 'IMPOSSIBLE_COUNT', '/steps/0'],
  ['min above max for evidence', ['steps', 1, 'evidence', 0, 'min'], 2, 'IMPOSSIBLE_COUNT', '/steps/1/evidence/0'],
  [
    'effects on an unknown state variable',
    ['tools', 1, 'effects', 'x'],
    ['dec', '0.00'],
    'UNKNOWN_FIELD',
    '/tools/1/effects/x',
  ],
  [
    'an unknown observed field',
    ['tools', 1, 'observe', 'refundable'],
    'x',
    'UNKNOWN_FIELD',
    '/tools/1/observe/refundable',
  ],
  [
    'an observed field of another type',
    ['tools', 1, 'observe', 'refundable'],
    'id',
    'UNKNOWN_FIELD',
    '/tools/1/observe/refundable',
  ],
  ['effects that are not observed', ['tools', 1, 'observe'], {}, 'WRONG_REPLAY', '/tools/1/replay'],
  ['effects that are not replayed', ['tools', 1, 'replay'], 'recorded', 'WRONG_REPLAY', '/tools/1/replay'],
  ['an identity that is a decimal', ['tools', 1, 'identity'], 'left', 'UNKNOWN_FIELD', '/tools/1/identity'],
  [
    'an invalid JSON pointer',
    ['tools', 0, 'responds', 'total', 'at'],
    'total',
    'MALFORMED_PLAN',
    '/tools/0/responds/total/at',
  ],
  [
    'an observed field of another scale',
    ['tools', 1, 'responds', 'left', 'scale'],
    3,
    'UNKNOWN_FIELD',
    '/tools/1/observe/refundable',
  ],
  ['a sheet that is not given', ['sheets'], [sheet()], 'UNKNOWN_SHEET', '/sheets/0'],
  [
    'a where over the response',
    ['steps', 1, 'where', 1, 'expr'],
    ['=', ['resp', 'id'], ['str', 'x']],
    'OUT_OF_SCOPE',
    '/steps/1/where/1/expr/1/0',
  ],
  [
    'evidence that reads a fact of the run',
    ['steps', 1, 'evidence', 0, 'binds', 0, 'expr'],
    ['>', ['run', 'approvals'], 0],
    'OUT_OF_SCOPE',
    '/steps/1/evidence/0/binds/0/expr/1/0',
  ],
  [
    'a constraint over an argument',
    ['constraints', 0, 'expr'],
    ['=', ['arg', 'amount'], ['dec', '1.00']],
    'OUT_OF_SCOPE',
    '/constraints/0/expr/1/0',
  ],
  [
    'a constraint over an unknown step',
    ['constraints', 0, 'expr'],
    ['exists', 'ask', 'p', ['bool', true]],
    'UNKNOWN_STEP',
    '/constraints/0/expr/1',
  ],
  [
    'a rule that is a number',
    ['constraints', 0, 'expr'],
    ['sum', 'pay', 'p', ['arg', 'p', 'amount']],
    'TYPE_MISMATCH',
    '/constraints/0/expr',
  ],
];

function twice(): unknown {
  return [REFUND_PLAN.steps[1]?.evidence[0], REFUND_PLAN.steps[1]?.evidence[0]];
}

function sheet(): unknown {
  return { name: 'refunds', version: '1.0.0', sha256: '0'.repeat(64), scope: 'plan', bind: {} };
}

for (const [what, path, value, code, pointer] of REFUSED) {
  test(`a plan with ${what} is refused with a pointer to it`, (t) => {
    const error = t.throws(() => readPlan(changed(path, value)));
    t.like(error, { code, path: pointer });
  });
}

test('a field of a response is at a JSON pointer of at most 256 characters', (t) => {
  const at = ['tools', 0, 'responds', 'total', 'at'];
  for (const pointer of ['', '/', '/a/0', '/a~0b/c~1d', '/ü', `/${'a'.repeat(255)}`]) {
    t.is(readPlan(changed(at, pointer)).tools.get('order.get@1.0.0')?.responds.get('total')?.at, pointer);
  }
  for (const pointer of ['a', 'a/b', '/a~', '/a~2', '~0', `/${'a'.repeat(256)}`, 5, null]) {
    refuses(t, () => readPlan(changed(at, pointer)), 'MALFORMED_PLAN', '/tools/0/responds/total/at', `${pointer}`);
  }
});

test('a value that is not an object is refused', (t) => {
  for (const json of [null, [], 'plan', 1])
    t.like(
      t.throws(() => readPlan(json)),
      { code: 'MALFORMED_PLAN' },
    );
});
