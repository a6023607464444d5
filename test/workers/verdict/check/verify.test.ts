import test from 'ava';
import { verifyExecution } from '../../../../workers/verdict/check/verify.ts';
import type { Artifact } from '../../../../workers/verdict/run/evidence.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay } from '../../../models/refund-run.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RECEIPT: Artifact = { action: 1, kind: 'receipt', json: { amount: '80.00', id: 'r1' } };

function verify(actions: readonly unknown[], artifacts: readonly Artifact[] = [RECEIPT], plan: unknown = REFUND_PLAN) {
  const { verdicts, assurance } = verifyExecution({ plan, actions, artifacts }, judge);
  const said = Object.entries(verdicts).map(([check, { verdict, reasons }]) => {
    return [check, verdict === 'satisfied' ? verdict : `${verdict} ${reasons.map(({ code }) => code).join(' ')}`];
  });
  return { ...Object.fromEntries(said), assurance };
}

const SATISFIED = { plan_alignment: 'satisfied', constraints: 'satisfied', evidence: 'satisfied', replay: 'satisfied' };

test('an aligned run within its rules, with evidence and reproducible, is satisfied in all checks', (t) => {
  const assurance = { recomputed: 0, modelled: 1, recorded: 1, ghost_states: [], reported_times: false };
  t.deepEqual(verify([look, pay('80.00', '0.00')]), { ...SATISFIED, assurance });
});

test('both engines decide all four checks', (t) => {
  const execution = { plan: REFUND_PLAN, actions: [look, pay('80.00', '0.00')], artifacts: [RECEIPT] };
  const { verdicts } = verifyExecution(execution, judge);
  for (const { engine, checks } of Object.values(verdicts)) {
    t.is(engine, 'evaluator+z3');
    t.is(checks.length, 1);
  }
});

const REFUTED: readonly (readonly [string, ReturnType<typeof verify>, object])[] = [
  [
    'the wrong tool',
    verify([look, { ...pay('80.00', '0.00'), tool: 'pay.all' }]),
    {
      plan_alignment: 'violated WRONG_TOOL',
      constraints: 'violated CONSTRAINT_BROKEN',
      evidence: 'satisfied',
      replay: 'indeterminate NOT_ALIGNED',
    },
  ],
  [
    'an amount that cannot be read',
    verify([look, pay('80', '0.00')]),
    {
      plan_alignment: 'invalid_input MALFORMED',
      constraints: 'invalid_input MALFORMED',
      evidence: 'invalid_input MALFORMED',
      replay: 'invalid_input MALFORMED',
    },
  ],
];

const SECOND: Artifact = { action: 2, kind: 'receipt', json: { amount: '30.00', id: 'r2' } };
const MORE = [look, pay('80.00', '0.00'), pay('30.00', '-30.00', 'r2')];
const OUT_OF_RANGE = '/actions/2/state/refundable';

test('a run whose state leaves its type is aligned, but its constraints and its replay are violated', (t) => {
  const plan = { ...BOUNDED_PLAN, constraints: [] };
  const { assurance: _, ...said } = verify(MORE, [RECEIPT, SECOND], plan);
  t.deepEqual(said, {
    ...SATISFIED,
    constraints: 'violated STATE_OUT_OF_RANGE',
    replay: 'violated STATE_OUT_OF_RANGE',
  });
  const { verdicts } = verifyExecution({ plan, actions: MORE, artifacts: [RECEIPT, SECOND] }, judge);
  const paths = [verdicts.constraints, verdicts.replay].map(({ reasons }) => reasons.map(({ path }) => path));
  t.deepEqual(paths, [[OUT_OF_RANGE], [OUT_OF_RANGE]]);
});

test('a state that leaves its type and comes back is still refuted', (t) => {
  const effects = { refundable: ['+', ['state', 'refundable'], ['arg', 'amount']] };
  const [order, refund] = BOUNDED_PLAN.tools;
  const state = { refundable: { type: 'decimal', scale: 2, min: '0.00', max: '100.00', initial: '80.00' } };
  const [LOOK, PAY] = BOUNDED_PLAN.steps;
  const steps = [LOOK, { ...PAY, where: [] }];
  const plan = { ...BOUNDED_PLAN, state, steps, constraints: [], tools: [order, { ...refund, effects }] };
  const { verdicts } = verifyExecution(
    { plan, actions: [look, pay('50.00', '130.00'), pay('-50.00', '80.00', 'r2')], artifacts: [] },
    judge,
  );
  t.like(verdicts.constraints, {
    verdict: 'violated',
    engine: 'evaluator+z3',
    reasons: [{ code: 'STATE_OUT_OF_RANGE', path: '/actions/1/state/refundable' }],
  });
  t.is(verdicts.constraints.reasons.length, 1);
});

test('a state beyond 38 digits is out of range and refutes the run', (t) => {
  const effects = { refundable: ['*', ['state', 'refundable'], ['int', '9'.repeat(38)]] };
  const [order, refund] = REFUND_PLAN.tools;
  const plan = { ...REFUND_PLAN, max_recorded: 2, constraints: [], tools: [order, { ...refund, effects }] };
  const said = verify([look, pay('80.00', '0.00')], [RECEIPT], plan);
  const refuted = 'violated STATE_OUT_OF_RANGE';
  t.like(said, { plan_alignment: 'satisfied', constraints: refuted, replay: refuted });
});

for (const [what, verdicts, expected] of REFUTED) {
  test(`${what} is refused for the right reason`, (t) => t.like(verdicts, expected));
}

test('the same records have the same verdicts and the same number of solver steps', (t) => {
  const execution = { plan: REFUND_PLAN, actions: [look, pay('50.00', '30.00')], artifacts: [RECEIPT] };
  t.deepEqual(verifyExecution(execution, judge), verifyExecution(structuredClone(execution), judge));
});
