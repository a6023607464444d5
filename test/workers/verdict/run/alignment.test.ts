import test from 'ava';
import { formatInstant, parseInstant } from '../../../../workers/exact/instants.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../../workers/verdict/decide/problem.ts';
import { alignmentProblem } from '../../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { withReportedContext } from '../../../../workers/verdict/run/reported-times.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

/** The broken rules. Everything is known here, so the evaluator decides. */
function brokenIn(problem: Problem) {
  const verdict = judgeKnown(problem);
  return verdict === 'satisfied' ? [] : [verdict, ...brokenBy(problem.values, problem.rules).map(({ id }) => id)];
}
const violated = (...rules: readonly string[]) => (rules.length === 0 ? [] : ['violated', ...rules]);

const over = (change: object) => readPlan({ ...REFUND_PLAN, ...change });
const paying = (change: object) => {
  const [first, second] = REFUND_PLAN.steps;
  return over({ steps: [first, { ...second, ...change }] });
};
const at = (seconds: number) => formatInstant(parseInstant(look.started_at, '') + BigInt(seconds * 1e6));
const timed = (action: object, from: number, to: number) => ({ ...action, started_at: at(from), ended_at: at(to) });

const PAID = pay('80.00', '0.00');
const TWICE = [pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')] as const;
const B2 = { order_id: 'B2', amount: '80.00' };
const BEGUN = { question: 'possible', isComplete: false } as const;
/** Two payments, of which the first takes three seconds and the second starts after some. */
const second = (seconds: number) => [timed(look, 0, 1), timed(TWICE[0], 2, 5), timed(TWICE[1], seconds, 6)];

for (const [what, actions, broken, { by = plan, ...asked } = {}] of [
  ['as it was planned', [look, PAID], []],
  ['with two payments', [look, ...TWICE], []],
  ['with a step before the one that it waits for', [PAID, look], ['/actions/0/after/look']],
  ['with another argument', [look, { ...PAID, args: B2 }], ['/actions/1/where/order']],
  ['with an amount of nothing', [look, pay('0.00', '80.00')], ['/actions/1/where/positive']],
  ['with another tool', [look, { ...PAID, tool: 'order.get' }], ['/actions/1/tool']],
  ['with another version', [look, { ...PAID, tool_version: '2.1.1' }], ['/actions/1/tool']],
  ['with an unknown step', [look, PAID, { ...look, step_id: 'rest' }], ['/actions/2/step']],
  ['without a required step', [look], ['/steps/pay/min']],
  ['with a step done too often', [look, look, PAID], ['/steps/look/max', '/max_recorded']],
  [
    'with one payment too many, whatever its arguments are',
    [look, PAID, pay('0.00', '0.00', 'r2')],
    ['/steps/pay/max'],
    { by: paying({ max: 1 }) },
  ],
  ['that has only begun', [look], [], BEGUN],
  ['that has not begun', [], [], BEGUN],
  ['that began with too many actions', [look, look], ['/steps/look/max', '/max_recorded'], BEGUN],
  ['that began with one that is only believed', [look], ['/max_recorded'], { ...BEGUN, by: over({ max_recorded: 0 }) }],
  ['with a step at the end of the one that it waits for', [timed(look, 0, 5), timed(PAID, 5, 5)], []],
  ['with a step that did not wait', [timed(look, 0, 5), timed(PAID, 4.999, 6)], ['/actions/1/after/look']],
  ['with a change of a state after another change', second(5), []],
  ['with a change of a state during another change', second(4), ['/actions/2/overlap/refundable']],
  ['with changes that may overlap', second(4), [], { by: paying({ overlaps: ['pay'] }) }],
  [
    'with changes of which one may overlap another step',
    second(4),
    ['/actions/2/overlap/refundable'],
    { by: paying({ overlaps: ['look'] }) },
  ],
] as readonly [string, object[], string[], (Partial<typeof BEGUN> & { by?: typeof plan })?][]) {
  test(`a run ${what} breaks ${broken.length === 0 ? 'no rule of its steps' : broken.join(' and ')}`, (t) => {
    const problem = alignmentProblem(
      { plan: by, actions: readActions(actions, by) },
      { question: 'holds', isComplete: true, ...asked },
    );
    t.deepEqual(brokenIn(problem), violated(...broken));
  });
}

const BEFORE = { id: 'looked', expr: ['forall', 'pay', 'p', ['exists', 'look', 'l', ['before', 'l', 'p']]] };
for (const [what, actions, broken, by = plan] of [
  ['that pays everything', [look, ...TWICE], []],
  ['over the cap', [look, PAID, pay('30.00', '-30.00', 'r2')], ['cap', 'whole']],
  ['that leaves a rest', [look, pay('50.00', '30.00')], ['whole']],
  ['of nothing', [], ['whole']],
  ['with an action after the end of one that must be before', [timed(look, 0, 5), timed(PAID, 5, 6)], [], BEFORE],
  ['with an action before that end', [timed(look, 0, 5), timed(PAID, 4, 6)], ['looked'], BEFORE],
] as readonly [string, object[], string[], (typeof plan | typeof BEFORE)?][]) {
  test(`a run ${what} breaks ${broken.length === 0 ? 'no rule of its plan' : broken.join(' and ')}`, (t) => {
    const held = 'expr' in by ? over({ constraints: [by] }) : by;
    const problem = constraintsProblem({ plan: held, actions: readActions(actions, held) }, 'holds');
    t.deepEqual(brokenIn(problem), violated(...broken.map((id) => `/constraints/${id}`)));
  });
}

test('proposed actions have no responses and no times, so the list decides', (t) => {
  const [first, ...others] = [look, PAID].map(({ response: _, started_at: __, ended_at: ___, ...intent }) => intent);
  const proposed = (intents: readonly unknown[]) => {
    const run = { plan, actions: readIntents(intents, plan) };
    return [alignmentProblem(run, { question: 'holds', isComplete: true }), constraintsProblem(run, 'holds')];
  };
  t.deepEqual(proposed([first, ...others]).map(brokenIn), [[], []]);
  t.deepEqual(proposed([...others, first]).map(brokenIn), [violated('/actions/0/after/look'), []]);
});

const CONTEXT = { approvedAt: at(0), receivedAt: at(1), proposedIntents: 'a', recordedIntents: 'a' };
function reported(context: Partial<typeof CONTEXT>, actions: readonly object[] = [look, PAID]) {
  const run = { plan, actions: readActions(actions, plan) };
  const problem = alignmentProblem(run, { question: 'holds', isComplete: true });
  return brokenIn(withReportedContext(problem, run, { ...CONTEXT, ...context }));
}
const both = (part: string) => [`/actions/0/${part}`, `/actions/1/${part}`];
const EXPIRY = (parseInstant(plan.expiresAt, '') - parseInstant(look.started_at, '')) / 1_000_000n;
const LATE = { receivedAt: at(Number(EXPIRY) + 9) };

// The clocks of agents may differ from ours by five seconds.
for (const [what, context, actions, broken] of [
  ['as proposed, after the approval and before the receipt', {}, undefined, []],
  ['that differs from the proposal', { recordedIntents: 'b' }, undefined, ['/intents']],
  ['a little before the approval', { approvedAt: at(5) }, undefined, []],
  ['before the approval', { approvedAt: at(5.000001) }, undefined, both('started_at/approved')],
  ['a little after the receipt', { receivedAt: at(-5) }, undefined, []],
  ['after the receipt', { receivedAt: at(-5.000001) }, undefined, both('ended_at/received')],
  ['a little after the expiry', LATE, [look, timed(PAID, Number(EXPIRY) + 5, Number(EXPIRY) + 5)], []],
  [
    'after the expiry',
    LATE,
    [look, timed(PAID, Number(EXPIRY) + 5.000001, Number(EXPIRY) + 6)],
    ['/actions/1/started_at/expired'],
  ],
  ['out of order', {}, [timed(look, 0.5, 0.5), PAID], ['/actions/1/after/look', '/actions/1/started_at/order']],
  ['that ends before it starts', {}, [look, timed(PAID, 0.5, 0.4)], ['/actions/1/ended_at/started']],
] as const) {
  test(`a run ${what} breaks ${broken.length === 0 ? 'no rule of its times' : broken.join(' and ')}`, (t) => {
    t.deepEqual(reported(context, actions), violated(...broken));
  });
}

test('a time that no calendar has is refused', (t) => {
  const action = { ...look, started_at: '2026-99-01T10:00:00.000000Z' };
  refuses(t, () => reported({}, [action, PAID]), 'MALFORMED_VALUE', '/actions/0/started_at');
});
