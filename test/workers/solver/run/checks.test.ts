import test from 'ava';
import { decide } from '../../../../workers/solver/decide/decide.ts';
import type { Decision, Question } from '../../../../workers/solver/decide/verdict.ts';
import { alignmentProblem } from '../../../../workers/solver/run/alignment.ts';
import { constraintsProblem } from '../../../../workers/solver/run/constraints.ts';
import { readActions, readIntents } from '../../../../workers/solver/run/read-actions.ts';
import { modelRun } from '../../../../workers/solver/run/run-model.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { openZ3 } from '../z3/open-z3.ts';
import { look, pay, plan } from './refund-run.ts';

const solver = await openZ3();

function check(documents: readonly unknown[], question: Question = 'holds') {
  const actions = readActions(documents, plan);
  const problems = {
    alignment: alignmentProblem(plan, actions, { model: modelRun(plan, actions), question }),
    constraints: constraintsProblem(plan, modelRun(plan, actions)),
  };
  return {
    alignment: decide(problems.alignment, { solver, rlimit: DEFAULT_RLIMIT }),
    constraints: decide(problems.constraints, { solver, rlimit: DEFAULT_RLIMIT }),
  };
}

const brokenOf = (decision: Decision) => (decision.verdict === 'violated' ? decision.broken : decision.verdict);

test('a run as it was planned is satisfied, by both engines', (t) => {
  const { alignment, constraints } = check([look, pay('80.00', '0.00')]);
  t.like(alignment, { verdict: 'satisfied', engine: 'evaluator+z3' });
  t.like(constraints, { verdict: 'satisfied', engine: 'evaluator+z3' });
});

test('in two payments as well', (t) => {
  const { alignment, constraints } = check([look, pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')]);
  t.is(alignment.verdict, 'satisfied');
  t.is(constraints.verdict, 'satisfied');
});

test('an action before the one that it waits for is no part of the plan', (t) => {
  t.deepEqual(brokenOf(check([pay('80.00', '0.00'), look]).alignment), ['/actions/0/after/look']);
});

test('nor is one with another argument, another tool or version, or without a step', (t) => {
  const order = { ...pay('80.00', '0.00'), args: { order_id: 'B2', amount: '80.00' } };
  t.deepEqual(brokenOf(check([look, order]).alignment), ['/actions/1/where/order']);
  t.deepEqual(brokenOf(check([look, pay('0.00', '80.00')]).alignment), ['/actions/1/where/positive']);
  t.deepEqual(brokenOf(check([look, { ...pay('80.00', '0.00'), tool: 'order.get' }]).alignment), ['/actions/1/tool']);
  t.deepEqual(brokenOf(check([look, { ...pay('80.00', '0.00'), tool_version: '2.1.1' }]).alignment), [
    '/actions/1/tool',
  ]);
  t.deepEqual(brokenOf(check([look, pay('80.00', '0.00'), { ...look, step_id: 'rest' }]).alignment), [
    '/actions/2/step',
  ]);
});

test('a step that was done too often, or not at all, is no part of the plan', (t) => {
  t.deepEqual(brokenOf(check([look]).alignment), ['/steps/pay/min']);
  t.deepEqual(brokenOf(check([look, look, pay('80.00', '0.00')]).alignment), ['/steps/look/max']);
});

test('what is still to come is left open, but not what is too much', (t) => {
  t.is(check([look], 'possible').alignment.verdict, 'satisfied');
  t.is(check([], 'possible').alignment.verdict, 'satisfied');
  t.is(check([look, look], 'possible').alignment.verdict, 'violated');
});

test('a payment over the cap, or one that leaves a rest, breaks the rules of the plan', (t) => {
  t.deepEqual(brokenOf(check([look, pay('80.00', '0.00'), pay('30.00', '-30.00', 'r2')]).constraints), [
    '/constraints/cap',
    '/constraints/whole',
  ]);
  t.deepEqual(brokenOf(check([look, pay('50.00', '30.00')]).constraints), ['/constraints/whole']);
  t.deepEqual(brokenOf(check([]).constraints), ['/constraints/whole']);
});

test('what is meant to be done is judged without responses', (t) => {
  const intentOf = ({ step_id, tool, tool_version, args }: ReturnType<typeof pay> | typeof look) => {
    return { step_id, tool, tool_version, args };
  };
  const intents = readIntents([look, pay('80.00', '0.00')].map(intentOf), plan);
  const model = modelRun(plan, intents);
  for (const problem of [
    alignmentProblem(plan, intents, { model, question: 'holds' }),
    constraintsProblem(plan, modelRun(plan, intents)),
  ]) {
    t.is(decide(problem, { solver, rlimit: DEFAULT_RLIMIT }).verdict, 'satisfied');
  }
  t.throws(() => readIntents([look], plan), { message: 'is not a known property' });
});

const MALFORMED: readonly (readonly [string, unknown, string, string])[] = [
  ['an argument too many', { ...look, args: { order_id: 'A1', all: true } }, 'UNKNOWN_NAME', '/actions/0/args'],
  ['an argument too few', { ...look, args: {} }, 'MALFORMED_VALUE', '/actions/0/args/order_id'],
  ['an amount of another scale', pay('80.0', '0.00'), 'WRONG_SCALE', '/actions/0/args/amount'],
  [
    'an amount that is a number',
    { ...pay('1.00', '0.00'), args: { order_id: 'A1', amount: 1 } },
    'MALFORMED_VALUE',
    '/actions/0/args/amount',
  ],
  ['a response without its field', { ...look, response: {} }, 'MALFORMED_VALUE', '/actions/0/response/total'],
  ['a verdict of its own', { ...look, aligned: true }, 'MALFORMED_ACTIONS', '/actions/0/aligned'],
  [
    'a time without microseconds',
    { ...look, ended_at: '2026-11-01T10:00:01Z' },
    'MALFORMED_ACTIONS',
    '/actions/0/ended_at',
  ],
];

for (const [what, action, code, path] of MALFORMED) {
  test(`${what} is refused where it stands`, (t) => {
    t.like(
      t.throws(() => readActions([action], plan)),
      { code, path },
    );
  });
}
