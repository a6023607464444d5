import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import type { Problem, Question } from '../../../../workers/verdict/decide/problem.ts';
import { alignmentProblem } from '../../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

/** Everything is known here, so the evaluator has a verdict of its own and the broken rules. */
function judged(problem: Problem) {
  const verdict = judgeKnown(problem);
  return verdict === 'violated' ? brokenBy(problem.values, problem.rules).map(({ id }) => id) : verdict;
}

function check(documents: readonly unknown[], question: Question = 'holds') {
  const actions = readActions(documents, plan);
  return {
    alignment: judged(alignmentProblem({ plan, actions }, { question, isComplete: question === 'holds' })),
    constraints: judged(constraintsProblem({ plan, actions }, 'holds')),
  };
}

test('a run as it was planned, in one payment or two, is satisfied', (t) => {
  for (const paid of [[pay('80.00', '0.00')], [pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')]]) {
    t.deepEqual(check([look, ...paid]), { alignment: 'satisfied', constraints: 'satisfied' });
  }
});

test('an action before the step that it waits for is not aligned', (t) => {
  t.deepEqual(check([pay('80.00', '0.00'), look]).alignment, ['/actions/0/after/look']);
});

test('an action with another argument, tool or version, or without a step, is not aligned', (t) => {
  const order = { ...pay('80.00', '0.00'), args: { order_id: 'B2', amount: '80.00' } };
  t.deepEqual(check([look, order]).alignment, ['/actions/1/where/order']);
  t.deepEqual(check([look, pay('0.00', '80.00')]).alignment, ['/actions/1/where/positive']);
  t.deepEqual(check([look, { ...pay('80.00', '0.00'), tool: 'order.get' }]).alignment, ['/actions/1/tool']);
  t.deepEqual(check([look, { ...pay('80.00', '0.00'), tool_version: '2.1.1' }]).alignment, ['/actions/1/tool']);
  t.deepEqual(check([look, pay('80.00', '0.00'), { ...look, step_id: 'rest' }]).alignment, ['/actions/2/step']);
});

test('a step that was done too often or not at all is not aligned', (t) => {
  t.deepEqual(check([look]).alignment, ['/steps/pay/min']);
  t.deepEqual(check([look, look, pay('80.00', '0.00')]).alignment, ['/steps/look/max', '/max_recorded']);
});

test('an action beyond those of its step breaks that rule alone, whatever its arguments are', (t) => {
  const over = readPlan({ ...REFUND_PLAN, steps: REFUND_PLAN.steps.map((step) => ({ ...step, max: 1 })) });
  const actions = readActions([look, pay('80.00', '0.00'), pay('0.00', '0.00', 'r2')], over);
  const problem = alignmentProblem({ plan: over, actions }, { question: 'holds', isComplete: true });
  t.deepEqual(judged(problem), ['/steps/pay/max']);
});

test('missing actions may still come, but too many actions are refused', (t) => {
  t.is(check([look], 'possible').alignment, 'satisfied');
  t.is(check([], 'possible').alignment, 'satisfied');
  t.deepEqual(check([look, look], 'possible').alignment, ['/steps/look/max', '/max_recorded']);
});

test('an action that is only believed is refused before it is done, where the plan allows none', (t) => {
  const strict = readPlan({ ...REFUND_PLAN, max_recorded: 0 });
  const actions = readActions([look], strict);
  const problem = alignmentProblem({ plan: strict, actions }, { question: 'possible', isComplete: false });
  t.deepEqual(judged(problem), ['/max_recorded']);
});

test('a payment over the cap, or one that leaves a rest, breaks a rule of the plan', (t) => {
  t.deepEqual(check([look, pay('80.00', '0.00'), pay('30.00', '-30.00', 'r2')]).constraints, [
    '/constraints/cap',
    '/constraints/whole',
  ]);
  t.deepEqual(check([look, pay('50.00', '30.00')]).constraints, ['/constraints/whole']);
  t.deepEqual(check([]).constraints, ['/constraints/whole']);
});

test('proposed actions are judged without responses', (t) => {
  const intentOf = ({ step_id, tool, tool_version, args }: ReturnType<typeof pay> | typeof look) => {
    return { step_id, tool, tool_version, args };
  };
  const intents = readIntents([look, pay('80.00', '0.00')].map(intentOf), plan);
  const run = { plan, actions: intents };
  for (const problem of [
    alignmentProblem(run, { question: 'holds', isComplete: true }),
    constraintsProblem(run, 'holds'),
  ]) {
    t.is(judged(problem), 'satisfied');
  }
  t.throws(() => readIntents([look], plan), { message: 'is not a known property' });
});

const MALFORMED: readonly (readonly [string, unknown, string, string])[] = [
  ['an unknown argument', { ...look, args: { order_id: 'A1', all: true } }, 'UNKNOWN_NAME', '/actions/0/args'],
  ['a missing argument', { ...look, args: {} }, 'MALFORMED_VALUE', '/actions/0/args/order_id'],
  ['an amount of another scale', pay('80.0', '0.00'), 'WRONG_SCALE', '/actions/0/args/amount'],
  [
    'an amount that is a number',
    { ...pay('1.00', '0.00'), args: { order_id: 'A1', amount: 1 } },
    'MALFORMED_VALUE',
    '/actions/0/args/amount',
  ],
  ['a response without its field', { ...look, response: {} }, 'MALFORMED_VALUE', '/actions/0/response/total'],
  ['a verdict', { ...look, aligned: true }, 'MALFORMED_ACTIONS', '/actions/0/aligned'],
  [
    'a time without microseconds',
    { ...look, ended_at: '2026-11-01T10:00:01Z' },
    'MALFORMED_ACTIONS',
    '/actions/0/ended_at',
  ],
];

for (const [what, action, code, path] of MALFORMED) {
  test(`${what} is refused with its path`, (t) => {
    refuses(t, () => readActions([action], plan), code, path);
  });
}

test('a malformed action is named by its place in the run', (t) => {
  const { response: _, started_at: __, ended_at: ___, ...intent } = look;
  for (const [bad, path] of [
    [{ ...intent, aligned: true }, '/actions/13/aligned'],
    [{ ...intent, args: {} }, '/actions/13/args/order_id'],
  ] as const) {
    t.like(
      t.throws(() => readIntents([intent, bad], plan, 12)),
      { path },
    );
  }
});

test('a run of more than 1,000 actions is refused', (t) => {
  const { response: _, started_at: __, ended_at: ___, ...intent } = look;
  const refused = { code: 'MALFORMED_ACTIONS', path: '/actions' };
  for (const [read, action] of [
    [readActions, look],
    [readIntents, intent],
  ] as const) {
    t.is(
      read(
        Array.from({ length: 1000 }, () => action),
        plan,
      ).length,
      1000,
    );
    t.like(
      t.throws(() =>
        read(
          Array.from({ length: 1001 }, () => action),
          plan,
        ),
      ),
      refused,
    );
  }
});
